package tree

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// stateOf returns the state of the file or directory at a name of the disk. A lookup by name gives no time
// of the last change: only a file that is opened, for its attributes alone, does. The time of the last
// write will not do, since programs set it, such as those that unpack archives.
func stateOf(name string, info fs.FileInfo) FileState {
	if !isOfDisk(info) {
		return FileState{}
	}
	p, err := windows.UTF16PtrFromString(filepath.FromSlash(name))
	if err != nil {
		return FileState{}
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(p, windows.FILE_READ_ATTRIBUTES, share, nil, windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS, 0)
	if err != nil {
		return FileState{}
	}
	defer windows.CloseHandle(h)
	return stateOfHandle(h)
}

// stateOfOpen returns the state of an open file.
func stateOfOpen(f fs.File, info fs.FileInfo) FileState {
	file, ok := f.(interface{ Fd() uintptr })
	if !ok || !isOfDisk(info) {
		return FileState{}
	}
	return stateOfHandle(windows.Handle(file.Fd()))
}

// isOfDisk reports whether package os has made an info.
func isOfDisk(info fs.FileInfo) bool {
	_, ok := info.Sys().(*syscall.Win32FileAttributeData)
	return ok
}

// basicInfo is FILE_BASIC_INFO: times in 100 nanoseconds since 1601.
type basicInfo struct {
	created, accessed, written, changed int64
	attributes                          uint32
	_                                   uint32
}

// stateOfHandle returns the state of an open file, or none if its file system is not known to keep the time
// of the last change.
func stateOfHandle(h windows.Handle) FileState {
	var basic basicInfo
	var id windows.ByHandleFileInformation
	err := windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
	if err != nil || basic.changed == 0 || !keepsChanges(h) || windows.GetFileInformationByHandle(h, &id) != nil {
		return FileState{}
	}
	return FileState{
		Size:     int64(id.FileSizeHigh)<<32 | int64(id.FileSizeLow),
		Modified: nanoseconds(basic.written), Changed: nanoseconds(basic.changed),
		Device: uint64(id.VolumeSerialNumber), Number: uint64(id.FileIndexHigh)<<32 | uint64(id.FileIndexLow),
	}
}

// keepsChanges reports whether the file system of a file sets the time of the last change with each change:
// NTFS and ReFS do. FAT has no such time, and nothing is known about others. A server that says NTFS
// promises to behave like it.
func keepsChanges(h windows.Handle) bool {
	var name [16]uint16
	err := windows.GetVolumeInformationByHandle(h, nil, 0, nil, nil, nil, &name[0], uint32(len(name)))
	system := windows.UTF16ToString(name[:])
	return err == nil && (system == "NTFS" || system == "ReFS")
}

// nanoseconds returns the time since 1970 of a time of Windows.
func nanoseconds(t int64) int64 {
	f := windows.Filetime{LowDateTime: uint32(t), HighDateTime: uint32(t >> 32)}
	return f.Nanoseconds()
}
