# never: two learners whose names are nearly one share a row
# class: chapter2
# others: none
# count: 7
# budget: 12

#@ handins
{
    "Ada.zip": zipped(stubs), "ada.tar": tarred(stubs), "ADA.tar.gz": gzip.compress(tarred(stubs)),
    **under("bo/ada", stubs), "\u00e9.zip": zipped(stubs), "e\u0301.zip": zipped(stubs),
}
