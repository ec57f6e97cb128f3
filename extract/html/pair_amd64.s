#include "textflag.h"

// See pair_amd64.go.
// func pair(src *byte, n int, first, second byte) int
//
// Registers: SI src, CX the last offset of a block of 32 bytes, AX the offset, DX the marks.
// Y8 to Y10 hold first, second and 0x20.
TEXT ·pair(SB), NOSPLIT, $0-32
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	SUBQ $33, CX // a block reads one byte more
	XORQ AX, AX
	VPBROADCASTB first+16(FP), Y8
	VPBROADCASTB second+17(FP), Y9
	MOVQ $0x20, DX
	VMOVQ DX, X10
	VPBROADCASTB X10, Y10

block:
	CMPQ AX, CX
	JGT  none
	VPOR 1(SI)(AX*1), Y10, Y1     // what follows each of 32 bytes, letters in lower case
	VPCMPEQB (SI)(AX*1), Y8, Y0
	VPCMPEQB Y1, Y9, Y1
	VPAND    Y1, Y0, Y0
	VPMOVMSKB Y0, DX
	ADDQ $32, AX
	TESTL DX, DX
	JZ   block

	BSFL DX, DX
	LEAQ -32(AX)(DX*1), AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET

none:
	NOTQ AX
	VZEROUPPER
	MOVQ AX, ret+24(FP)
	RET
