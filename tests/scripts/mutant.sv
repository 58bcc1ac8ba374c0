// Which mutation of a block is in force; 0: the block as it is. Only a mutated copy of a block reads it (see mutate).
package mutant;
    import "DPI-C" function int unsigned bench_mutant();
    int unsigned active = bench_mutant();
endpackage
