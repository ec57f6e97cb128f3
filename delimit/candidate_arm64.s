#include "textflag.h"

// MARK sets the bytes of c that may be a trigger, given n, what follows them, s, what follows
// that, and f, what is four in front. V8 to V13 hold ":", "=", " ", "<", 0x20 and "w".
#define MARK(c, n, s, f) \
	VCMEQ c.B16, V8.B16, V20.B16   \ // a colon
	VUMIN n.B16, V10.B16, V21.B16  \
	VCMEQ n.B16, V21.B16, V21.B16  \ // " " or below follows
	VCMEQ n.B16, V9.B16, V22.B16   \ // or "="
	VORR  V22.B16, V21.B16, V21.B16 \
	VAND  V20.B16, V21.B16, V21.B16 \
	VEOR  V20.B16, V21.B16, V21.B16 \ // a colon, and neither follows
	VCMEQ f.B16, V11.B16, f.B16    \ // "<" is four in front
	VAND  V20.B16, f.B16, f.B16    \
	VORR  V21.B16, f.B16, f.B16    \
	VORR  V12.B16, c.B16, c.B16    \ // letters in lower case
	VORR  V12.B16, n.B16, n.B16    \
	VORR  V12.B16, s.B16, s.B16    \
	VCMEQ V13.B16, c.B16, c.B16    \ // "w", three times
	VCMEQ V13.B16, n.B16, n.B16    \
	VCMEQ V13.B16, s.B16, s.B16    \
	VAND  n.B16, c.B16, c.B16      \
	VAND  s.B16, c.B16, c.B16      \
	VORR  f.B16, c.B16, c.B16

// func candidate(src *byte, n int) int
//
// Registers: R0 src, R1 the last offset of a block of 32 bytes, R2 the offset.
TEXT ·candidate(SB), NOSPLIT, $0-24
	MOVD src+0(FP), R0
	MOVD n+8(FP), R1
	SUB  $32, R1
	MOVD $0, R2
	VMOVI $58, V8.B16
	VMOVI $61, V9.B16
	VMOVI $32, V10.B16
	VMOVI $60, V11.B16
	VMOVI $32, V12.B16
	VMOVI $119, V13.B16

block:
	CMP  R1, R2
	BGT  none
	ADD  R2, R0, R3
	VLD1 (R3), [V0.B16, V1.B16]
	ADD  $1, R3, R4
	VLD1 (R4), [V2.B16, V3.B16]
	ADD  $2, R3, R4
	VLD1 (R4), [V4.B16, V5.B16]
	SUB  $4, R3, R4
	VLD1 (R4), [V6.B16, V7.B16]
	MARK(V0, V2, V4, V6)
	MARK(V1, V3, V5, V7)
	VORR V0.B16, V1.B16, V2.B16
	VMOV V2.D[0], R5
	VMOV V2.D[1], R6
	ADD  $32, R2
	ORR  R5, R6, R7
	CBZ  R7, block

	// The first byte that is set: each word holds eight.
	SUB  $32, R2
	VMOV V0.D[0], R5
	CBNZ R5, first
	ADD  $8, R2
	VMOV V0.D[1], R5
	CBNZ R5, first
	ADD  $8, R2
	VMOV V1.D[0], R5
	CBNZ R5, first
	ADD  $8, R2
	VMOV V1.D[1], R5

first:
	RBIT R5, R5
	CLZ  R5, R5
	ADD  R5>>3, R2
	MOVD R2, ret+16(FP)
	RET

none:
	MVN  R2, R2
	MOVD R2, ret+16(FP)
	RET
