"""Earlier online ensembles."""
