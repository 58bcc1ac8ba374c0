// Which mutation is in force: a number from 1, of the variable MUTANT; 0: none.
#include <stdlib.h>

unsigned bench_mutant(void);
unsigned bench_mutant(void) {
    static int mutant = -1;
    if (mutant < 0) mutant = atoi(getenv("MUTANT") != NULL ? getenv("MUTANT") : "0");
    return (unsigned)mutant;
}
