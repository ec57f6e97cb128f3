#include "textflag.h"

// The bytes that are looked for.
DATA sought<>+0(SB)/8, $0x000000007777203c // '<' ' ' "ww"
DATA sought<>+8(SB)/8, $0x000000000000003a // ':'
GLOBL sought<>(SB), RODATA|NOPTR, $16

// What may not follow a colon, by the low half of the byte: controls, " " instead of NUL, "=" instead of CR.
DATA rejected<>+0(SB)/8, $0x0706050403020120
DATA rejected<>+8(SB)/8, $0x0f0e3d0c0b0a0908
GLOBL rejected<>(SB), RODATA|NOPTR, $16

// MARK sets the bytes of m that may be a trigger. c is 32 bytes at SI+AX+at; n is what follows them. It changes c, n and t.
// VPSHUFB takes from Y9 the rejected byte that has the same low half, or 0 for a byte above 127. "www" contains "ww" at an even
// offset.
#define MARK(at, c, n, t, m) \
	VPCMPEQB Y8, c, m            \ // a colon
	VPSHUFB  n, Y9, t            \
	VPCMPEQB t, n, n             \ // a rejected byte follows
	VPCMPEQB at-4(SI)(AX*1), Y11, t \ // "<" is four in front: "<URL:"
	VPANDN   n, t, n             \
	VPANDN   m, n, m             \
	VPOR     Y12, c, c           \ // letters in lower case
	VPCMPEQW Y13, c, c           \
	VPOR     c, m, m

// func candidate(src *byte, n int) int
//
// Registers: SI src, CX the last offset of a block of R13 bytes (64, at the end 32), AX the offset, DX the marks of the block.
// Y8, Y11, Y12 and Y13 hold ":", "<", 0x20 and "ww", Y9 the rejected bytes.
TEXT ·candidate(SB), NOSPLIT, $0-24
	MOVQ src+0(FP), SI
	MOVQ n+8(FP), CX
	SUBQ $64, CX
	XORQ AX, AX
	MOVL $64, R13
	VPBROADCASTB sought<>+8(SB), Y8
	VPBROADCASTB sought<>+0(SB), Y11
	VPBROADCASTB sought<>+1(SB), Y12
	VPBROADCASTW sought<>+2(SB), Y13
	VBROADCASTI128 rejected<>+0(SB), Y9
	CMPQ AX, CX
	JGT  rest

block:
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU 1(SI)(AX*1), Y1
	VMOVDQU 32(SI)(AX*1), Y2
	VMOVDQU 33(SI)(AX*1), Y3
	MARK(0, Y0, Y1, Y6, Y4)
	MARK(32, Y2, Y3, Y7, Y5)
	VPOR Y4, Y5, Y6
	VPMOVMSKB Y6, DX
	TESTL DX, DX
	JNZ  marked
	ADDQ $64, AX
	CMPQ AX, CX
	JLE  block

rest:
	ADDQ $32, CX
	CMPQ AX, CX
	JGT  none
	MOVL $32, R13
	VMOVDQU (SI)(AX*1), Y0
	VMOVDQU 1(SI)(AX*1), Y1
	MARK(0, Y0, Y1, Y6, Y4)
	VPXOR Y5, Y5, Y5
	VPMOVMSKB Y4, DX
	TESTL DX, DX
	JNZ  marked
	ADDQ $32, AX

none:
	NOTQ AX
	VZEROUPPER
	MOVQ AX, ret+16(FP)
	RET

marked:
	VPMOVMSKB Y4, DX
	VPMOVMSKB Y5, BX
	SHLQ $32, BX
	ORQ  BX, DX
	LEAQ ·bareScheme(SB), R11

mark: // of a colon that no "/" follows, judge wants the last two letters of a scheme in front: one in 20 has them
	BSFQ DX, R8
	ADDQ AX, R8
	CMPB (SI)(R8*1), $58
	JNE  found
	CMPB 1(SI)(R8*1), $47
	JEQ  found
	MOVBLZX -2(SI)(R8*1), R9
	ANDL $31, R9
	MOVL (R11)(R9*4), R9
	MOVBLZX -1(SI)(R8*1), R10
	BTL  R10, R9 // the bit R10 & 31
	JCS  found
	LEAQ -1(DX), R9
	ANDQ R9, DX
	JNZ  mark
	ADDQ R13, AX
	CMPL R13, $64
	JNE  none
	CMPQ AX, CX
	JLE  block
	JMP  rest

found:
	VZEROUPPER
	MOVQ R8, ret+16(FP)
	RET
