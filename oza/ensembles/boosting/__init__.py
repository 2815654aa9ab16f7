"""AdaBoost.M1, online boosting and primed online boosting."""
