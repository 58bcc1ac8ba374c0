impl{<T: Tables>} Driven for {O}{<T>} {
    {image}

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
{arms}            _ => return super::Functions.event(op, from, to),
        }
        Ok(())
    }
}
