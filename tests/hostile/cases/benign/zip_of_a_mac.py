# never: what macOS puts into a zip makes it unreadable
# class: chapter2

#@ handins
{"bo.zip": zipped({
    **under("my work", files), "my work/.DS_Store": b"\0\0\0\1Bud1",
    "__MACOSX/my work/babygrad/._tensor.py": b"\0\5\x16\7", "__MACOSX/._my work": b"\0\5",
})}
