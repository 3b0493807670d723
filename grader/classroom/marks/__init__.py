"""Turn results into marks: a class and its roster, policies, lateness, grants, the records."""
