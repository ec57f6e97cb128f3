#include "textflag.h"

// The bytes that are looked for, and masks. Each is spread over a register.
DATA sought<>+0(SB)/8, $0x2077203c3d213a3a // ':' ':' '!' '=' '<' ' ' 'w' ' '
GLOBL sought<>(SB), RODATA|NOPTR, $8

// func candidate(src *byte, n int) int
//
// Registers: SI src, CX the last offset of a block of 32 bytes, AX the offset, DX the marks.
// Y8 to Y13 hold ":", "!", "=", "<", 0x20 and "w".
TEXT ·candidate(SB), NOSPLIT, $0-24
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	SUBQ $32, CX
	XORQ AX, AX
	VPBROADCASTB sought<>+0(SB), Y8
	VPBROADCASTB sought<>+2(SB), Y9
	VPBROADCASTB sought<>+3(SB), Y10
	VPBROADCASTB sought<>+4(SB), Y11
	VPBROADCASTB sought<>+5(SB), Y12
	VPBROADCASTB sought<>+6(SB), Y13

block:
	CMPQ AX, CX
	JGT  none
	VMOVDQU (SI)(AX*1), Y0   // 32 bytes
	VMOVDQU 1(SI)(AX*1), Y1  // what follows each of them
	VPCMPEQB Y8, Y0, Y4      // it is a colon
	VPMAXUB  Y9, Y1, Y5
	VPCMPEQB Y5, Y1, Y5      // "!" or above follows
	VPCMPEQB Y10, Y1, Y6
	VPANDN   Y5, Y6, Y5      // and no "="
	VPCMPEQB -4(SI)(AX*1), Y11, Y6
	VPOR     Y6, Y5, Y5      // or "<" is four in front: "<URL:"
	VPAND    Y5, Y4, Y4
	VPOR     Y12, Y0, Y0     // letters in lower case
	VPOR     Y12, Y1, Y1
	VPOR     2(SI)(AX*1), Y12, Y2
	VPCMPEQB Y13, Y0, Y0     // "w", three times
	VPCMPEQB Y13, Y1, Y1
	VPCMPEQB Y13, Y2, Y2
	VPAND    Y1, Y0, Y0
	VPAND    Y2, Y0, Y0
	VPOR     Y0, Y4, Y4
	VPMOVMSKB Y4, DX
	ADDQ $32, AX
	TESTL DX, DX
	JZ   block

	BSFL DX, DX
	LEAQ -32(AX)(DX*1), AX
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET

none:
	NOTQ AX
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET
