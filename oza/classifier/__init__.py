"""What all classifiers share: schema of the columns, validation, interface of base models, base classes."""
