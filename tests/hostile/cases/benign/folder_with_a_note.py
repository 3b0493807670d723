# never: a folder with other things beside the package is not judged
# class: chapter2

#@ handins
{**under("bo", files), "bo/notes.pdf": b"%PDF", "bo/.DS_Store": b"x"}
