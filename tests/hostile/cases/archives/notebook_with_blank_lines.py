# never: blank lines in a notebook cost anything
# class: chapter2
# twin: 11

#@ handins
{**under("bea", files), "bea/chapter2.ipynb": booked("\n" * 3000 + "1 + 1", "\n \n%ls\n")}
