fn image(&self) -> Vec<u8> {
        Vec::new()
    }