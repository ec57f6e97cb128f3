package site

func findHugo(d *directory) []*Site { return nil }
