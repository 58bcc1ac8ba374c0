"""`patch` on a tree of ours that has nothing but the places of the steps: a right one, a step that is missing, some that are wrong, a place
that is gone."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("patch", str(HERE.parents[1] / "patch"))
patch = importlib.util.module_from_spec(importlib.util.spec_from_loader("patch", loader))
loader.exec_module(patch)

STEPS = patch.read_steps()[1]


def write(tree):
    """Each function and class of the steps, with the text of each place in a line of its own."""
    places = {}
    for step in STEPS:
        lines = places.setdefault(step.file, {}).setdefault(step.given["in"], [])
        for text in (step.given.get("from"), step.anchor):
            if text and text != step.given["in"] and not any(text in line for line in lines):
                lines.append(text)
    for name, functions in places.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        body = lambda lines: "".join(f"  {line}\n" for line in lines)
        (tree / name).write_text("".join(f"{opens}\n{body(lines)}}}\n\n" for opens, lines in functions.items()))


class Patch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        write(self.tree)

    def call(self, command, status):
        """Its lines."""
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            self.assertEqual(getattr(patch, command)(self.tree), status, said.getvalue())
        return said.getvalue().splitlines()

    def change(self, name, old, new):
        """The file's text after a change, and that step's line of what check says then."""
        file = self.tree / name
        text = file.read_text()
        self.assertEqual(text.count(old), 1, f"{old}\n{text}")
        file.write_text(text.replace(old, new))
        said = self.call("check", 1)
        file_after = file.read_text()
        file.write_text(text)
        return file_after, [line for line in said if line.startswith("P") and " ok " not in line]

    def test_a_tree_is_patched_once(self):
        self.assertEqual(sum(" missing " in line for line in self.call("check", 1)), len(STEPS) + len(patch.read_steps()[0]["files"]))
        self.call("apply", 0)
        before = {path: path.read_text() for path in self.tree.rglob("*") if path.is_file()}
        self.assertTrue(self.call("check", 0)[-1].startswith("all "))
        self.assertIn("entered 0 steps, copied 0 files", self.call("apply", 0)[-1])
        self.assertEqual(before, {path: path.read_text() for path in self.tree.rglob("*") if path.is_file()})

    def test_what_is_wrong_is_told_with_its_line(self):
        self.call("apply", 0)
        cpp, header = "src/gpgpu-sim/gpu-sim.cc", "src/gpgpu-sim/shader.h"
        arrived = "  if (m_sched) m_sched->kernel_arrived(kinfo, n);\n"
        step = next(step for step in STEPS if "kernel_arrived" in step.text)
        line = (self.tree / cpp).read_text().split(arrived)[0].count("\n")

        _, said = self.change(cpp, arrived, "")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^{step.name} +missing +{cpp}:{line}: .* goes behind `m_running_kernels")
        _, said = self.change(cpp, "kernel_arrived(kinfo, n)", "kernel_arrived(kinfo, 0)")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^{step.name} +wrong +{cpp}:{line + 1}: reads otherwise")
        _, said = self.change(cpp, "  m_running_kernels[n] = kinfo;\n" + arrived, arrived + "  m_running_kernels[n] = kinfo;\n")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^{step.name} +wrong +{cpp}:{line}: it belongs behind .*, line {line + 1}")
        _, said = self.change(cpp, arrived, arrived + arrived)
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], rf"^{step.name} +wrong +{cpp}:\d+: it stands 2 times")
        # One line of several.
        _, said = self.change(header, "  Apogee *m_apogee;\n", "")
        self.assertEqual(len(said), 1, said)
        self.assertIn("`Apogee *m_apogee;` goes behind", said[0])
        # Words in a line.
        _, said = self.change("src/gpgpu-sim/shader.cc", "wants && ", "")
        self.assertEqual(len(said), 1, said)
        self.assertRegex(said[0], r"missing +src/gpgpu-sim/shader.cc:\d+: `wants &&` goes in front of")

    def test_other_line_breaks_are_no_difference(self):
        self.call("apply", 0)
        file = self.tree / "src/gpgpu-sim/gpu-sim.cc"
        file.write_text(file.read_text().replace("if (m_sched) m_sched->kernel_arrived(", "if (m_sched)\n      m_sched->kernel_arrived(\n          "))
        self.call("check", 0)

    def test_without_a_place_nothing_is_changed(self):
        file = self.tree / "src/gpgpu-sim/gpu-sim.cc"
        file.write_text(file.read_text().replace("m_running_kernels[n] = kinfo;", "place(kinfo);"))
        before = {path: path.read_text() for path in self.tree.rglob("*") if path.is_file()}
        said = self.call("apply", 1)
        self.assertIn("stands 0 times behind `void gpgpu_sim::launch", said[0])
        self.assertEqual(said[-1], "nothing was changed")
        self.assertEqual(before, {path: path.read_text() for path in self.tree.rglob("*") if path.is_file()})

    def test_the_guide_is_that_of_the_steps(self):
        page = (HERE.parents[1] / "docs/patch.md").read_text()
        self.assertEqual(page.split(patch.BEGIN)[1].split(patch.END)[0], patch.guide(), "run `hosts/gpgpu-sim/patch guide --write`")


if __name__ == "__main__":
    unittest.main()
