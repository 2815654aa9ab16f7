"""Stacked restricted Hoeffding trees."""
