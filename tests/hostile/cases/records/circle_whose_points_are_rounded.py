# never: exercises in a circle gain marks because their points add up to 0.9999999999999998
# seen: 5
# class: chapter1
# others: less
# marks: best
# budget: 60
# earns nothing: chapter1.value.neg chapter1.value.rmul

#@ handins
under("thief", wrong(**{
    "scalar.Value.__neg__": "return self.__rmul__(-1)",
    "scalar.Value.__rmul__": "return (-self) * (-other)",
}))
