// What is so unless a program says something else.
inline {Class} {of}() noexcept {
    {c} filled{};
    (void){c}_init(&filled);
    return {Class}(filled);
}

