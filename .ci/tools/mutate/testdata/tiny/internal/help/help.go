package help

func Odd(n int) bool { return n%2 == 1 }
