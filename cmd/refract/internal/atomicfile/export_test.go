package atomicfile

// Forget lets this process sweep a directory again, as the next one would.
func Forget(dir string) { swept.Delete(dir) }
