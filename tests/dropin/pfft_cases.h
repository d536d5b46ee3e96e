/* pfft_cases.h: the plans that pfft.c makes. */
#ifndef PFFT_CASES_H
#define PFFT_CASES_H

#include <pfft.h>

enum { C2C, R2C, C2R, R2R };
enum { MOST_AXES = 4 };
#define F       PFFT_FORWARD
#define B       PFFT_BACKWARD
#define E       PFFT_ESTIMATE
#define IN      PFFT_TRANSPOSED_IN
#define OUT     PFFT_TRANSPOSED_OUT
#define PAD     PFFT_PADDED_R2C
#define DESTROY PFFT_DESTROY_INPUT

typedef struct test_case {
  int kind, rank;
  ptrdiff_t n[MOST_AXES], howmany; /* [rank] */
  int in_place, sign;
  unsigned flags;
  int dims;              /* of the mesh */
  ptrdiff_t block[2][2]; /* [end][dimension of the mesh]; 0: the default */
} test_case;

static const test_case cases[] = {
    {C2C, 3, {12, 10, 7}, 1, 0, F, E, 2, {{0}}},
    {C2C, 3, {12, 10, 7}, 1, 1, B, E, 2, {{0}}},
    {C2C, 3, {7, 6, 9}, 1, 1, F, E | OUT, 2, {{0}}},
    {C2C, 3, {7, 6, 9}, 1, 0, B, E | IN, 2, {{0}}},
    {C2C, 3, {7, 6, 9}, 1, 0, B, E | IN | DESTROY, 2, {{0}}},
    {C2C, 3, {16, 16, 16}, 1, 0, F, PFFT_MEASURE | PFFT_TUNE | OUT, 2, {{0}}},
    {C2C, 3, {2, 3, 5}, 1, 0, F, E | OUT, 2, {{0}}},
    {C2C, 3, {29, 27, 31}, 1, 0, F, E, 2, {{0}}},
    {C2C, 3, {12, 10, 7}, 1, 0, F, E, 1, {{0}}},
    {C2C, 3, {12, 10, 7}, 1, 1, F, E | OUT, 1, {{0}}},
    {C2C, 2, {15, 9}, 1, 0, F, E | OUT, 1, {{0}}},
    {C2C, 3, {9, 10, 12}, 1, 0, F, E, 3, {{0}}},
    {C2C, 3, {9, 10, 12}, 1, 1, F, E | OUT, 3, {{0}}},
    {C2C, 3, {9, 10, 12}, 1, 0, B, E | IN, 3, {{0}}},
    {C2C, 3, {16, 18, 5}, 1, 0, F, E, 2, {{8, 9}, {9, 10}}},
    {C2C, 3, {16, 18, 15}, 1, 0, F, E | OUT, 2, {{8, 9}, {9, 8}}},
    {C2C, 3, {6, 4, 8}, 1, 0, F, E | PFFT_SHIFTED_IN | PFFT_SHIFTED_OUT, 2, {{0}}},
    {C2C, 3, {6, 4, 10}, 1, 1, B, E | PFFT_SHIFTED_IN | OUT, 2, {{0}}},
    {C2C, 3, {9, 5, 4}, 2, 0, F, E | OUT, 1, {{0}}},
    {C2C, 4, {6, 5, 4, 3}, 1, 0, F, E, 1, {{0}}},
    {C2C, 4, {6, 5, 4, 3}, 1, 0, F, E, 2, {{0}}},
    {C2C, 3, {9, 5, 4}, 2, 1, B, E, 2, {{0}}},
    {C2C, 3, {9, 5, 4}, 2, 0, B, E | DESTROY, 2, {{0}}},
    {R2C, 4, {6, 5, 4, 7}, 1, 0, F, E | PAD, 2, {{0}}},
    {C2R, 4, {6, 5, 4, 7}, 1, 1, B, E | PAD, 2, {{0}}},
    {C2R, 3, {9, 5, 4}, 3, 0, B, E | PAD, 2, {{0}}},
    {R2C, 3, {12, 10, 8}, 1, 0, F, E, 2, {{0}}},
    {R2C, 3, {12, 10, 8}, 1, 0, F, E | OUT | DESTROY, 2, {{0}}},
    {C2R, 3, {12, 10, 8}, 1, 0, B, E | IN | DESTROY, 2, {{0}}},
    {R2C, 3, {9, 8, 7}, 1, 0, F, E | OUT | PAD, 2, {{0}}},
    {C2R, 3, {9, 8, 7}, 1, 0, B, E | IN | PAD, 2, {{0}}},
    {R2C, 3, {9, 8, 6}, 1, 1, F, E | OUT | PAD, 2, {{0}}},
    {C2R, 3, {9, 8, 6}, 1, 1, B, E | IN | PAD | DESTROY, 2, {{0}}},
    {R2C, 3, {9, 8, 6}, 1, 1, F, E | OUT, 2, {{0}}},
    {C2R, 3, {9, 8, 6}, 1, 1, B, E | IN, 2, {{0}}},
    {R2C, 3, {29, 27, 31}, 1, 0, F, E | OUT, 2, {{0}}},
    {C2R, 3, {29, 27, 31}, 1, 0, B, E, 2, {{0}}},
    {R2C, 3, {3, 2, 5}, 1, 0, F, E | OUT | PAD, 2, {{0}}},
    {R2C, 3, {12, 10, 8}, 1, 0, B, E | OUT, 2, {{0}}},
    {C2R, 3, {12, 10, 8}, 1, 0, F, E | IN, 2, {{0}}},
    {C2R, 3, {12, 10, 8}, 1, 1, F, E | PAD, 2, {{0}}},
    {R2C, 3, {12, 10, 8}, 1, 0, F, E, 1, {{0}}},
    {R2C, 3, {12, 10, 8}, 1, 1, F, E | OUT | PAD, 1, {{0}}},
    {C2R, 3, {12, 10, 8}, 1, 1, B, E | IN | PAD, 1, {{0}}},
    {R2C, 2, {14, 9}, 1, 0, F, E | OUT, 1, {{0}}},
    {C2R, 2, {14, 9}, 1, 0, B, E | PAD, 1, {{0}}},
    {R2C, 4, {6, 5, 4, 7}, 1, 0, F, E | OUT | PAD, 1, {{0}}},
    {C2R, 4, {6, 5, 4, 7}, 1, 0, B, E | PAD, 1, {{0}}},
    {R2C, 3, {10, 6, 5}, 3, 1, F, E | PAD, 1, {{0}}},
    {R2C, 3, {9, 10, 12}, 1, 0, F, E, 3, {{0}}},
    {R2C, 3, {9, 10, 12}, 1, 0, F, E | OUT, 3, {{0}}},
    {C2R, 3, {9, 10, 12}, 1, 0, B, E | IN, 3, {{0}}},
    {C2R, 3, {9, 10, 11}, 1, 0, B, E, 3, {{0}}},
    {R2C, 3, {6, 4, 8}, 1, 0, F, E | PFFT_SHIFTED_IN | PFFT_SHIFTED_OUT | OUT, 2, {{0}}},
    {C2R, 3, {6, 4, 8}, 1, 0, B, E | PFFT_SHIFTED_OUT | PAD, 2, {{0}}},
    {R2C, 3, {16, 18, 15}, 1, 0, F, E | OUT, 2, {{8, 9}, {9, 4}}},
    {R2R, 3, {7, 6, 5}, 1, 0, F, E, 2, {{0}}},
    {R2R, 3, {7, 6, 5}, 1, 0, F, E | OUT, 2, {{0}}},
    {R2R, 3, {7, 6, 5}, 1, 0, F, E | IN, 1, {{0}}},
    {R2R, 3, {7, 6, 5}, 1, 0, F, E, 3, {{0}}},
};

#endif
