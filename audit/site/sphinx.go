package site

func findSphinx(d *directory) []*Site   { return nil }
func findJekyll(d *directory) []*Site   { return nil }
func findEleventy(d *directory) []*Site { return nil }
