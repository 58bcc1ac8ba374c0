// The packed vectors, from the file that VECTORS names.
    .section .rodata.vectors, "a"
    .balign 8
    .global vectors_start, vectors_end
vectors_start:
    .incbin VECTORS
vectors_end:
