|arena| {
                let tables = TableSet::take_from(arena, &TableSizes::of(&config)).ok_or(Status::StorageTooSmall)?;
                Ok(Object::restore(bytes, tables)?)
            }
