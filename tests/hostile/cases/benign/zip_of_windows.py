# never: backslashes make a zip unreadable
# class: chapter2

#@ handins
{"bo.zip": zipped({
    **{f"homework\\{name}".replace("/", "\\"): data for name, data in files.items()},
    "homework\\Thumbs.db": b"x", "homework\\desktop.ini": b"x",
})}
