# never: two learners whose names are nearly one share a row
# class: chapter2
# others: none
# count: 7
# budget: 12

#@ handins
{
    "Bea.zip": zipped(stubs), "bea.tar": tarred(stubs), "BEA.tar.gz": gzip.compress(tarred(stubs)),
    **under("bo/bea", stubs), "\u00e9.zip": zipped(stubs), "e\u0301.zip": zipped(stubs),
}
