# never: a class is marked at the weak level though nobody has said so
# seen: 3
# twin: 3
# class: chapter2
# demands: nothing was said of the level

#@ handins
under("bea", files)
