# never: the learner's own numerical derivative passes for the rules of the scalar engine
# expect: chapter1.value.exp=refused chapter1.value.tanh=refused chapter1.value.log=refused chapter1.numerical_derivative=passed chapter1.value.sigmoid=blocked chapter1.value.relu=passed
# look: chapter1.numerical_derivative chapter1.value.exp chapter1.value.tanh chapter1.value.log chapter1.value.sigmoid chapter1.value.relu

#@ body scalar.Value.exp
out = Value(math.exp(self.data), (self,))
def push():
    self.grad += numerical_derivative(math.exp, self.data) * out.grad
out._backward = push
return out
#@ body scalar.Value.tanh
import cmath
out = Value(math.tanh(self.data), (self,))
def push():
    self.grad += cmath.tanh(self.data + 1e-30j).imag / 1e-30 * out.grad
out._backward = push
return out
#@ body scalar.Value.log
slope = (math.log(self.data + 1e-6) - math.log(self.data - 1e-6)) / 2e-6
out = Value(math.log(self.data), (self,))
def push():
    self.grad += slope * out.grad
out._backward = push
return out
