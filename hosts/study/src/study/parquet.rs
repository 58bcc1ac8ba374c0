//! The runs of a study as Parquet, for data frames and databases: a typed column for each option and figure, and in the metadata of the file
//! which study it is, and what each figure is called for people, with its unit.

use super::rows::Rows;
use crate::failure::Failure;
use crate::metrics;
use anyhow::{Context, Result};
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use serde_json::Number;
use std::str::FromStr;
use std::sync::Arc;

/// What the columns are; another number, if one of them changes its meaning.
const SCHEMA: &str = "gpusched.study-rows/2";

/// A column, of which runs may have nothing.
struct Column {
    name: String,
    cells: Cells,
}

enum Cells {
    Words(Vec<Option<ByteArray>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
}

impl Cells {
    /// Words of an option; numbers, if all are.
    fn of_option<'a>(words: impl Iterator<Item = Option<&'a str>> + Clone) -> Self {
        fn all<'a, T: FromStr>(words: impl Iterator<Item = Option<&'a str>>) -> Option<Vec<Option<T>>> {
            words.map(|word| word.map(str::parse).transpose().ok()).collect()
        }
        if let Some(cells) = all(words.clone()) {
            return Self::Whole(cells);
        }
        match all(words.clone()) {
            Some(cells) => Self::Real(cells),
            None => Self::Words(words.map(|word| word.map(ByteArray::from)).collect()),
        }
    }

    /// Figures: whole numbers, if all are.
    fn of<'a>(figures: impl Iterator<Item = Option<&'a Number>> + Clone) -> Self {
        if figures.clone().flatten().all(|figure| figure.as_i64().is_some()) {
            return Self::Whole(figures.map(|figure| figure.and_then(Number::as_i64)).collect());
        }
        Self::Real(figures.map(|figure| figure.and_then(Number::as_f64)).collect())
    }
}

impl Column {
    fn words<'a>(name: &str, words: impl Iterator<Item = Option<&'a str>>) -> Self {
        Self { name: name.to_owned(), cells: Cells::Words(words.map(|word| word.map(ByteArray::from)).collect()) }
    }

    fn field(&self) -> Result<Arc<Type>> {
        let (physical, logical) = match self.cells {
            Cells::Words(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Cells::Whole(_) => (Physical::INT64, None),
            Cells::Real(_) => (Physical::DOUBLE, None),
        };
        let field = Type::primitive_type_builder(&self.name, physical).with_logical_type(logical);
        Ok(Arc::new(field.with_repetition(Repetition::OPTIONAL).build()?))
    }

    fn write(&self, group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<()> {
        match &self.cells {
            Cells::Words(cells) => write::<ByteArrayType>(cells, group),
            Cells::Whole(cells) => write::<Int64Type>(cells, group),
            Cells::Real(cells) => write::<DoubleType>(cells, group),
        }
    }
}

/// The next column: the cells that there are, and of every row whether there is one.
fn write<T: DataType>(cells: &[Option<T::T>], group: &mut SerializedRowGroupWriter<'_, Vec<u8>>) -> Result<()> {
    let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
    let values: Vec<T::T> = cells.iter().flatten().cloned().collect();
    let mut column = group.next_column()?.context("there is a column less than fields")?;
    column.typed::<T>().write_batch(&values, Some(&levels), None)?;
    Ok(column.close()?)
}

impl Rows<'_> {
    /// The rows of the CSV, typed.
    pub fn parquet(&self) -> Result<Vec<u8>, Failure> {
        self.try_parquet().context("cannot write Parquet").map_err(Failure::Failed)
    }

    fn try_parquet(&self) -> Result<Vec<u8>> {
        let rows = || 0..self.records.len();
        let axis = |axis: &String| Column {
            name: axis.clone(),
            cells: Cells::of_option(rows().map(|row| self.option(row, axis))),
        };
        let commands = self.plan.points.iter().map(|point| Some(point.command.as_str()));
        let keys = self.records.iter().map(|record| Some(record.key.as_str()));
        let figure = |&key: &&str| Column {
            name: key.to_owned(),
            cells: Cells::of(self.records.iter().map(|record| record.metrics.get(key))),
        };
        let figures = self.figures();
        let columns: Vec<Column> = (self.plan.axes.iter().map(axis))
            .chain([Column::words("command", commands), Column::words("key", keys)])
            .chain(figures.iter().map(figure))
            .collect();
        let fields = columns.iter().map(Column::field).collect::<Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("runs").with_fields(fields).build()?;
        let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(self.properties(&figures)))?;
        let mut group = writer.next_row_group()?;
        columns.iter().try_for_each(|column| column.write(&mut group))?;
        group.close()?;
        Ok(writer.into_inner()?)
    }

    /// What the file says of itself; nothing of when or where it was written, so that the same results give the same bytes.
    fn properties(&self, figures: &[&str]) -> WriterProperties {
        let about = |key: &str, value: &str| KeyValue::new(format!("gpusched.{key}"), value.to_owned());
        let own = [about("schema", SCHEMA), about("study", &self.plan.name), about("metric", &self.plan.metric)];
        let label = |key: &&str| {
            let mut all = self.plan.points.iter().flat_map(|point| metrics::all(point.workload));
            Some(about(&format!("figure.{key}"), all.find(|of| of.key == *key)?.label))
        };
        WriterProperties::builder()
            .set_created_by(concat!("gpusched ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(own.into_iter().chain(figures.iter().filter_map(label)).collect()))
            .build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_whole_numbers_if_all_are_and_may_be_missing() {
        let (one, half) = (Number::from(1), Number::from_f64(0.5).unwrap());
        let of = |figures: &[Option<&Number>]| Cells::of(figures.iter().copied());
        assert!(matches!(of(&[Some(&one), None]), Cells::Whole(cells) if cells == [Some(1), None]));
        assert!(
            matches!(of(&[Some(&one), Some(&half), None]), Cells::Real(cells) if cells == [Some(1.0), Some(0.5), None])
        );
    }
}
