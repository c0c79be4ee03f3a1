"""The Python package, with the program that WARPLENS_PROGRAM names."""

import os
import sys
import tempfile
import unittest

import warplens

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = "__global__ void twice(float *a, int n) {\n    int i = threadIdx.x;\n    if (i < n) a[i * 2] = 1;\n}\n" \
          "int main() {\n    float *a;\n    cudaMalloc(&a, 512);\n    twice<<<1, 64>>>(a, N);\n    cudaFree(a);\n}\n"


class Predicting(unittest.TestCase):
    def test_a_scenario_has_its_launch_and_lines(self):
        launch = warplens.predict("matadd-swapped", sizes={"n": 512}).launches[0]
        self.assertEqual(launch.block, (16, 16, 1))
        self.assertEqual(launch.arguments, {"n": 512})
        self.assertEqual(launch.value("global_load_requests"), 2 * 512 * 512 / 32)
        self.assertIn("a", [line.array for line in launch.lines if line.kind == "load"])

    def test_a_missing_number_is_a_key_error(self):
        with self.assertRaises(KeyError):
            warplens.predict("matadd-swapped").launches[0].value("time")

    def test_ptx_as_text_needs_no_compiler(self):
        with open(os.path.join(ROOT, "kernels/library/ptx/copy_strided.debug.ptx"), encoding="utf-8") as file:
            launches = warplens.open_ptx(file.read()).launches
        self.assertEqual(launches[0].kernel, "copyStrided")

    def test_a_wrong_request_names_the_limit(self):
        with self.assertRaises(warplens.InvalidRequest) as caught:
            warplens.predict("matadd-swapped", block=(2048,))
        self.assertIn("block x = 2048: at most 1024", str(caught.exception))
        self.assertEqual(caught.exception.code, 2)

    def test_a_figure_is_an_svg(self):
        self.assertIn("<svg", warplens.predict("matadd-swapped").figure()._repr_svg_())

    def test_a_notebook_shows_the_picture_below_the_lines(self):
        self.assertIn("</table><img ", warplens.predict("matadd-swapped")._repr_html_())


class Programs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "own.cu")
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        try:
            warplens.predict(self.path, defines={"N": 64})
        except warplens.NotPossible as reason:
            self.folder.cleanup()
            self.skipTest(str(reason))

    def tearDown(self):
        self.folder.cleanup()

    def test_lines_stand_where_the_source_has_them(self):
        launch = warplens.predict(self.path, defines={"N": 64}).launches[0]
        stores = [line for line in launch.lines if line.kind == "store" and line.source == "predicted"]
        self.assertEqual([(line.line, line.requests, line.sectors) for line in stores], [(3, 2, 16)])

    def test_a_program_that_fails_has_what_came_before(self):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(PROGRAM.replace("cudaFree(a);", "return 3;"))
        self.assertEqual(len(warplens.predict(self.path, defines={"N": 64}).launches), 1)

    def test_a_compilers_words_are_an_exception(self):
        with self.assertRaises(warplens.InvalidRequest) as caught:
            warplens.predict(self.path)
        self.assertIn('identifier "N" is undefined', str(caught.exception))

    def test_errors_of_a_cell_are_at_the_cells_line(self):
        magics = {}

        class Shell:
            def register_magic_function(self, function, kind, name):
                magics[name] = function

        warplens.load_ipython_extension(Shell())
        with self.assertRaises(warplens.InvalidRequest) as caught:
            magics["warplens"]("", PROGRAM)
        self.assertTrue(str(caught.exception).startswith("cell:9: "), caught.exception)
        self.assertEqual(magics["warplens"]("-D N=64", PROGRAM).launches[0].kernel, "twice")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
