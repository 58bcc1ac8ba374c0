//! Lists of commands.

use gpusched_traces::{Command, Commands, TraceError};
use std::path::Path;

fn commands(text: &str) -> Result<Vec<Command>, TraceError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kernelslist.g");
    std::fs::write(&path, text).unwrap();
    let mut commands = Commands::open(&path)?;
    let mut all = Vec::new();
    while let Some(command) = commands.next()? {
        all.push(match command {
            Command::Launch(path) => Command::Launch(path.strip_prefix(folder.path()).unwrap().to_owned()),
            other => other,
        });
    }
    Ok(all)
}

#[test]
fn a_list_tells_copies_and_launches_in_their_order() {
    let text =
        "MemcpyHtoD,0x00007fb0fc400000,200000\n\nkernel-1-ctx_0x55.traceg.xz\nMemcpyDtoH,0x10,8\nkernel-2.traceg\n";
    let expected = [
        Command::CopyToDevice { address: 0x7fb0_fc40_0000, bytes: 200_000 },
        Command::Launch("kernel-1-ctx_0x55.traceg.xz".into()),
        Command::CopyToHost { address: 0x10, bytes: 8 },
        Command::Launch("kernel-2.traceg".into()),
    ];
    assert_eq!(commands(text).unwrap(), expected);
}

#[test]
fn what_is_no_command_is_said_with_its_line() {
    for (line, says) in [
        ("MemcpyHtoD,0x10", "expected kernel-..., or MemcpyHtoD,ADDRESS,BYTES, found `MemcpyHtoD,0x10`"),
        ("MemcpyHtoD,xyz,4", "expected an address in hexadecimal, found `xyz`"),
        ("MemcpyHtoD,0x10,-4", "expected a number of bytes, found `-4`"),
        ("MemsetD,0x10,4", "expected kernel-..., MemcpyHtoD or MemcpyDtoH, found `MemsetD`"),
        // A list from elsewhere opens no file elsewhere.
        ("kernel/../../secret", "expected the name of a file beside the list, found `kernel/../../secret`"),
        ("kernel-1.traceg,4", "expected the name of a file beside the list"),
    ] {
        let error = commands(&format!("kernel-1.traceg\n{line}\n")).unwrap_err().to_string();
        assert!(error.contains("kernelslist.g:2: ") && error.contains(says), "{error}");
    }
}

#[test]
fn a_list_that_is_not_there_is_named() {
    let error = Commands::open(Path::new("nowhere/kernelslist.g")).unwrap_err().to_string();
    assert!(error.starts_with("nowhere/kernelslist.g: "), "{error}");
}
