//! What the configurations of all machines have in common.

/// The number of a value.
pub(super) fn code<V: PartialEq>(value: V, values: &[(u32, V)]) -> u32 {
    values.iter().find(|(_, v)| *v == value).expect("every value is listed").0
}

/// Ties fields of a struct of C to the core's. What a program writes that C has and the core has not is 0.
macro_rules! fields {
    (
        $C:ident: $put:ident, $get:ident = $Core:ident;
        numbers $($number:ident $(= $core_number:ident)?)*;
        choices $($choice:ident $(= $core_choice:ident)? $values:ident)*;
        flags $($flag:ident $(= $core_flag:ident)?)*
    ) => {
        fn $put(c: &mut $C, config: &$Core) {
            $(c.$number = field!(config, $number $($core_number)?);)*
            $(c.$choice = code(field!(config, $choice $($core_choice)?), &$values);)*
            $(c.$flag = field!(config, $flag $($core_flag)?).into();)*
        }

        fn $get(c: &$C) -> $Core {
            let mut config = $Core::default();
            $(field!(config, $number $($core_number)?) = c.$number;)*
            $(field!(config, $choice $($core_choice)?) = one_of(c.$choice, &$values);)*
            $(field!(config, $flag $($core_flag)?) = flag(c.$flag);)*
            config
        }
    };
}
pub(super) use fields;

/// A field under its second name, if it has one.
macro_rules! field {
    ($of:ident, $name:ident) => {
        $of.$name
    };
    ($of:ident, $name:ident $other:ident) => {
        $of.$other
    };
}
pub(super) use field;
