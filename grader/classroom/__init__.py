"""Grade a class: read submissions by an allow-list; judge, mark, analyse and export them."""
