package pdf

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"crypto/rc4"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/binary"
	"slices"
)

// A method is how strings, or streams, of a file are encrypted (ISO 32000-2 section 7.6).
type method uint8

const (
	unencrypted method = iota
	rc4Method
	aes128 // AESV2
	aes256 // AESV3
)

// An encryption holds the key of a file that opens without a password.
type encryption struct {
	key              []byte
	strings, streams method
	metadata         bool // streams of metadata are encrypted, too
}

// newEncryption reads the encryption dictionary that begins at src[dict]. id is the first part of the
// file's identifier. It returns nil if the handler is not the standard one, or if a password is needed.
func newEncryption(a *account, src []byte, dict int, id []byte) *encryption {
	text := func(key string) []byte {
		k, _ := entry(a, src, dict, key)
		if k.kind != literalToken && k.kind != hexToken {
			return nil
		}
		var d decoded
		d.read(src, k.start, k.end)
		return d.bytes
	}
	number := func(key string, absent int) int {
		k, t := entry(a, src, dict, key)
		if k.kind == integerToken {
			return t.number(k)
		}
		return absent
	}
	if k, _ := entry(a, src, dict, "Filter"); k.kind != nameToken || string(src[k.start:k.end]) != "Standard" {
		return nil
	}
	e := &encryption{metadata: true, strings: rc4Method, streams: rc4Method}
	if k, _ := entry(a, src, dict, "EncryptMetadata"); k.kind == wordToken && string(src[k.start:k.end]) == "false" {
		e.metadata = false
	}
	version, revision := number("V", 0), number("R", 2)
	length := number("Length", 40)
	switch version {
	case 1:
		length = 40
	case 2, 3:
	case 4:
		length = 128
		e.strings, e.streams = filterMethod(a, src, dict, "StrF"), filterMethod(a, src, dict, "StmF")
	case 5:
		e.strings, e.streams = filterMethod(a, src, dict, "StrF"), filterMethod(a, src, dict, "StmF")
		user := text("U")
		e.key = key256(user, text("UE"), nil, revision)
		if e.key == nil {
			e.key = key256(text("O"), text("OE"), user, revision)
		}
		if e.key == nil {
			return nil
		}
		return e
	default:
		return nil
	}
	if length < 40 || length > 128 {
		length = 40
	}
	e.key = keyMD5(text("O"), text("U"), id, permissions(a, src, dict), revision, length/8, e.metadata)
	if e.key == nil {
		return nil
	}
	return e
}

// permissions returns P, a number of 32 bits that is written with or without a sign.
func permissions(a *account, src []byte, dict int) uint32 {
	k, _ := entry(a, src, dict, "P")
	if k.kind != integerToken && k.kind != wordToken {
		return 0
	}
	n := uint32(0)
	digits := bytes.TrimPrefix(src[k.start:k.end], []byte("-"))
	for _, c := range digits {
		n = n*10 + uint32(c-'0')
	}
	if len(digits) < k.end-k.start {
		return -n
	}
	return n
}

// filterMethod returns the method of a crypt filter, which key names (section 7.6.6).
func filterMethod(a *account, src []byte, dict int, key string) method {
	k, _ := entry(a, src, dict, key)
	if k.kind != nameToken {
		return unencrypted
	}
	filter := string(src[k.start:k.end])
	all, _ := entry(a, src, dict, "CF")
	if all.kind != dictBegin {
		return unencrypted
	}
	one, _ := entry(a, src, all.start, filter)
	if one.kind != dictBegin {
		return unencrypted
	}
	m, _ := entry(a, src, one.start, "CFM")
	switch string(src[m.start:m.end]) {
	case "V2":
		return rc4Method
	case "AESV2":
		return aes128
	case "AESV3":
		return aes256
	}
	return unencrypted
}

// padding stands for a password that is empty (section 7.6.4.3.2).
var padding = []byte("\x28\xbf\x4e\x5e\x4e\x75\x8a\x41\x64\x00\x4e\x56\xff\xfa\x01\x08\x2e\x2e\x00\xb6\xd0\x68\x3e\x80\x2f\x0c\xa9\xfe\x64\x53\x69\x7a")

// keyMD5 computes the key of a file with revisions 2 to 4 (algorithm 2), and checks it (algorithms 4 and
// 5). It returns nil if the user password is not empty.
func keyMD5(owner, user, id []byte, permissions uint32, revision, size int, metadata bool) []byte {
	if len(owner) < 32 || len(user) < 16 {
		return nil
	}
	h := md5.New()
	h.Write(padding)
	h.Write(owner[:32])
	h.Write(binary.LittleEndian.AppendUint32(nil, permissions))
	h.Write(id)
	if revision >= 4 && !metadata {
		h.Write([]byte("\xff\xff\xff\xff"))
	}
	key := h.Sum(nil)
	if revision == 2 {
		key = key[:5]
		return checked(key, rc4Of(key, padding), user)
	}
	for range 50 {
		sum := md5.Sum(key[:size])
		copy(key, sum[:])
	}
	key = key[:size]
	sum := md5.Sum(append(bytes.Clone(padding), id...))
	check := sum[:]
	xored := make([]byte, size)
	for i := range 20 {
		for k := range key {
			xored[k] = key[k] ^ byte(i)
		}
		check = rc4Of(xored, check)
	}
	return checked(key, check, user)
}

// checked returns key if user begins with check.
func checked(key, check, user []byte) []byte {
	if !bytes.HasPrefix(user, check) {
		return nil
	}
	return key
}

func rc4Of(key, src []byte) []byte {
	c, err := rc4.NewCipher(key)
	if err != nil {
		return src
	}
	out := make([]byte, len(src))
	c.XORKeyStream(out, src)
	return out
}

// key256 computes the key of a file with revisions 5 and 6 (algorithm 2.A) from an empty password. That is
// the password of the user, or of the owner if user is the string that checks the password of the user.
func key256(check, encrypted, user []byte, revision int) []byte {
	if len(check) < 48 || len(encrypted) < 32 || user != nil && len(user) < 48 {
		return nil
	}
	if user != nil {
		user = user[:48]
	}
	hash := hash6
	if revision == 5 {
		hash = func(salt, user []byte) []byte {
			sum := sha256.Sum256(slices.Concat(salt, user))
			return sum[:]
		}
	}
	if !bytes.Equal(hash(check[32:40], user), check[:32]) {
		return nil
	}
	block, err := aes.NewCipher(hash(check[40:48], user))
	if err != nil {
		return nil
	}
	key := make([]byte, 32)
	cipher.NewCBCDecrypter(block, make([]byte, aes.BlockSize)).CryptBlocks(key, encrypted[:32])
	return key
}

// hash6 is algorithm 2.B for an empty password; user is what checks that of the user, if this is the owner's.
func hash6(salt, user []byte) []byte {
	sum := sha256.Sum256(slices.Concat(salt, user))
	k := sum[:]
	for round := 0; ; round++ {
		e := bytes.Repeat(slices.Concat(k, user), 64)
		block, err := aes.NewCipher(k[:16])
		if err != nil {
			return nil
		}
		cipher.NewCBCEncrypter(block, k[16:32]).CryptBlocks(e, e)
		mod := 0
		for _, c := range e[:16] {
			mod += int(c)
		}
		switch mod % 3 {
		case 0:
			sum := sha256.Sum256(e)
			k = sum[:]
		case 1:
			sum := sha512.Sum384(e)
			k = sum[:]
		default:
			sum := sha512.Sum512(e)
			k = sum[:]
		}
		if round >= 63 && int(e[len(e)-1]) <= round-31 {
			return k[:32]
		}
	}
}

// decrypt decrypts a string or the data of a stream of an object (algorithms 1 and 1.A).
func (e *encryption) decrypt(m method, src []byte, object, generation int) []byte {
	key := e.key
	if m == unencrypted {
		return src
	}
	if m != aes256 {
		seed := append(bytes.Clone(key), byte(object), byte(object>>8), byte(object>>16), byte(generation), byte(generation>>8))
		if m == aes128 {
			seed = append(seed, "sAlT"...)
		}
		sum := md5.Sum(seed)
		key = sum[:min(len(key)+5, 16)]
	}
	if m == rc4Method {
		return rc4Of(key, src)
	}
	block, err := aes.NewCipher(key)
	if err != nil || len(src) < 2*aes.BlockSize {
		return nil
	}
	iv, data := src[:aes.BlockSize], src[aes.BlockSize:]
	out := make([]byte, len(data)/aes.BlockSize*aes.BlockSize)
	cipher.NewCBCDecrypter(block, iv).CryptBlocks(out, data[:len(out)])
	if n := int(out[len(out)-1]); n <= aes.BlockSize {
		out = out[:len(out)-n]
	}
	return out
}
