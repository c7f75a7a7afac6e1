//! A stored shape and the value that it stands for, both ways.

use std::collections::{BTreeMap, BTreeSet};

/// A type of the journal that stands for a type of the program.
pub(crate) trait Shape {
    /// The program's type.
    type Core;
    /// What is written.
    fn store(core: &Self::Core) -> Self;
    /// What was written.
    fn load(self) -> Self::Core;
}

/// Types that are written as they are: numbers, texts, and the vocabulary of the rules, whose written names never change.
macro_rules! as_is {
    ($($leaf:ty),* $(,)?) => {
        $(impl Shape for $leaf {
            type Core = $leaf;
            fn store(core: &$leaf) -> $leaf {
                core.clone()
            }
            fn load(self) -> $leaf {
                self
            }
        })*
    };
}

as_is![
    bool,
    u8,
    u32,
    u64,
    usize,
    String,
    serde_json::Value,
    baize_cards::Card,
    baize_cards::HandClass,
    baize_rules::Area,
    baize_rules::Cites,
    baize_rules::IrregularityKind,
    baize_rules::Money,
    baize_rules::Remedy,
    baize_rules::Reveal,
    baize_rules::Role,
    baize_rules::Whose,
    baize_table::Choice,
    baize_table::Decided,
    baize_table::OpenPoint,
    baize_table::Place,
    baize_table::Player,
    baize_table::ResultKind,
    BTreeSet<u8>,
    BTreeSet<String>,
    BTreeSet<baize_table::Player>,
    BTreeSet<crate::Duty>,
    BTreeSet<crate::JackpotId>,
    BTreeSet<crate::StaffId>,
    crate::Instant,
    crate::JackpotId,
    crate::MoneyKind,
    crate::PlayerId,
    crate::StaffId,
    crate::TableId,
    crate::Duty,
    crate::Shoe,
    baize_jackpot::Exact,
    baize_rules::AcrossTables,
    baize_rules::AfterFold,
    baize_rules::AllFold,
    baize_rules::AwardCards,
    baize_rules::AwardChoice,
    baize_rules::BonusAfterLoss,
    baize_rules::BonusOfInvalid,
    baize_rules::CapOn,
    baize_rules::Contribution,
    baize_rules::ForOne,
    baize_rules::PaidBy,
    baize_rules::Percent,
    baize_rules::PooledStraightFlush,
    baize_rules::ProcedureName,
    baize_rules::Rounding,
    baize_rules::SeveralWinners,
    baize_rules::BarReach,
    baize_rules::FaultScope,
    baize_rules::HouseActs,
    baize_rules::NotShown,
    baize_rules::OneTimeOnly,
    baize_rules::PoolRounding,
    baize_rules::PutRight,
    baize_rules::RaisesOfAbsent,
    baize_rules::SharedExcess,
    baize_rules::Silence,
];

impl<K, V> Shape for BTreeMap<K, V>
where
    K: Shape + Ord,
    K::Core: Ord,
    V: Shape,
{
    type Core = BTreeMap<K::Core, V::Core>;
    fn store(core: &Self::Core) -> BTreeMap<K, V> {
        core.iter().map(|(key, value)| (K::store(key), V::store(value))).collect()
    }
    fn load(self) -> Self::Core {
        self.into_iter().map(|(key, value)| (key.load(), value.load())).collect()
    }
}

impl<T: Shape> Shape for Vec<T> {
    type Core = Vec<T::Core>;
    fn store(core: &Vec<T::Core>) -> Vec<T> {
        core.iter().map(T::store).collect()
    }
    fn load(self) -> Vec<T::Core> {
        self.into_iter().map(T::load).collect()
    }
}

impl<T: Shape> Shape for Option<T> {
    type Core = Option<T::Core>;
    fn store(core: &Option<T::Core>) -> Option<T> {
        core.as_ref().map(T::store)
    }
    fn load(self) -> Option<T::Core> {
        self.map(T::load)
    }
}

impl<T: Shape> Shape for Box<T> {
    type Core = Box<T::Core>;
    fn store(core: &Box<T::Core>) -> Box<T> {
        Box::new(T::store(core))
    }
    fn load(self) -> Box<T::Core> {
        Box::new((*self).load())
    }
}

impl<A: Shape, B: Shape> Shape for (A, B) {
    type Core = (A::Core, B::Core);
    fn store(core: &(A::Core, B::Core)) -> (A, B) {
        (A::store(&core.0), B::store(&core.1))
    }
    fn load(self) -> (A::Core, B::Core) {
        (self.0.load(), self.1.load())
    }
}

/// A struct of the journal with the fields of one of the program.
macro_rules! struct_shape {
    ($name:ident for $core:ident { $($(#[$meta:meta])* $field:ident: $ty:ty),* $(,)? }) => {
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name { $($(#[$meta])* $field: $ty),* }

        impl $crate::journal::stored::Shape for $name {
            type Core = $core;
            fn store(core: &Self::Core) -> $name {
                $name { $($field: <$ty as $crate::journal::stored::Shape>::store(&core.$field)),* }
            }
            fn load(self) -> Self::Core {
                $core { $($field: self.$field.load()),* }
            }
        }
    };
}

/// An enum of the journal with the variants of one of the program: those without fields, those with, and those around one value.
macro_rules! enum_shape {
    ($name:ident for $core:ident as $tag:literal {
        $(plain $unit:ident;)*
        $(with $variant:ident { $($(#[$meta:meta])* $field:ident: $ty:ty),* $(,)? };)*
        $(around $wrap:ident($inner:ty);)*
    }) => {
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(rename_all = "kebab-case", tag = $tag)]
        pub(crate) enum $name {
            $($unit,)*
            $($variant { $($(#[$meta])* $field: $ty),* },)*
            $($wrap($inner),)*
        }

        impl $crate::journal::stored::Shape for $name {
            type Core = $core;
            fn store(core: &Self::Core) -> $name {
                match core {
                    $($core::$unit => $name::$unit,)*
                    $($core::$variant { $($field),* } => {
                        $name::$variant { $($field: <$ty as $crate::journal::stored::Shape>::store($field)),* }
                    })*
                    $($core::$wrap(inner) => {
                        $name::$wrap(<$inner as $crate::journal::stored::Shape>::store(inner))
                    })*
                }
            }
            fn load(self) -> Self::Core {
                match self {
                    $($name::$unit => $core::$unit,)*
                    $($name::$variant { $($field),* } => $core::$variant { $($field: $field.load()),* },)*
                    $($name::$wrap(inner) => $core::$wrap(inner.load()),)*
                }
            }
        }
    };
}
