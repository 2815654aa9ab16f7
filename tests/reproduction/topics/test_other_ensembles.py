"""What would refute the claim about trees over subsets of the columns."""

#: As if each order of columns had a tree.
COUNTER = {"C141": lambda counted: counted.assign(trees=2 * counted["trees"])}
