"""The reproduction of the thesis: studies, recorded results, theory, claims, tables and figures."""
