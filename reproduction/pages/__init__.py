"""Tables and figures of single pages, for pages that have no topic yet."""
