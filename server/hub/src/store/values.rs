//! Tuples: of values that a statement gets, and of columns that a row gives.

use super::column::{FromColumn, ToColumn};
use super::row::{FromRow, Row};
use crate::error::Result;
use sqlx::Arguments;
use sqlx::any::AnyArguments;
use sqlx::error::BoxDynError;

/// A tuple of values in the order of their numbers.
pub(crate) trait Values {
    fn add_to(self, arguments: &mut AnyArguments) -> std::result::Result<(), BoxDynError>;
}

impl Values for () {
    fn add_to(self, _: &mut AnyArguments) -> std::result::Result<(), BoxDynError> {
        Ok(())
    }
}

/// For as many at a time as the text has numbers for.
impl<T: Values> Values for Vec<T> {
    fn add_to(self, arguments: &mut AnyArguments) -> std::result::Result<(), BoxDynError> {
        self.into_iter().try_for_each(|values| values.add_to(arguments))
    }
}

macro_rules! values {
    ($($value:ident)*) => {
        impl<$($value: ToColumn),*> Values for ($($value,)*) {
            fn add_to(self, arguments: &mut AnyArguments) -> std::result::Result<(), BoxDynError> {
                #[expect(non_snake_case, reason = "a value has the name of its type")]
                let ($($value,)*) = self;
                $(arguments.add($value.into_stored()?)?;)*
                Ok(())
            }
        }
    };
}

macro_rules! columns {
    ($($column:ident $at:literal),*) => {
        impl<$($column: FromColumn),*> FromRow for ($($column,)*) {
            fn from_row(row: &Row) -> Result<Self> {
                Ok(($(row.get($at)?,)*))
            }
        }
    };
}

values!(A);
values!(A B);
values!(A B C);
values!(A B C D);
values!(A B C D E);
values!(A B C D E F);
values!(A B C D E F G);
values!(A B C D E F G H);
values!(A B C D E F G H I);
values!(A B C D E F G H I J);
values!(A B C D E F G H I J K);
values!(A B C D E F G H I J K L);
values!(A B C D E F G H I J K L M);
values!(A B C D E F G H I J K L M N);
values!(A B C D E F G H I J K L M N O);
values!(A B C D E F G H I J K L M N O P);
values!(A B C D E F G H I J K L M N O P Q);
values!(A B C D E F G H I J K L M N O P Q R S T);

columns!(A 0, B 1);
columns!(A 0, B 1, C 2);
columns!(A 0, B 1, C 2, D 3);
columns!(A 0, B 1, C 2, D 3, E 4);
columns!(A 0, B 1, C 2, D 3, E 4, F 5);
