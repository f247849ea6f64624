"""Tests of data: each kind of column reaches the model with the numbers that it has."""

import datetime
import importlib.util
import os
import tempfile
import unittest

import sgppl
from sgppl import _columns, _data, _interchange

NUMPY = importlib.util.find_spec("numpy") is not None
PANDAS = importlib.util.find_spec("pandas") is not None
SCIPY = importlib.util.find_spec("scipy") is not None

# The log likelihood at a = 0 is that of the entries of y alone: a way to read back what
# the command was given.
ONE = """dim N
data y[N] : real?
param a : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a, 1) }
"""
GROUPS = """dim N, G
data group[N] : index[G]
data y[N] : real
param a[G] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[group[n]], 1) }
"""
LOG_NORMAL = -0.9189385332046727


def read_back(values):
    """The squares of y, by the log likelihoods of its rows."""
    with sgppl.Model(ONE.replace("?", "")).bind({"y": values}) as bound:
        return [(-2 * (v - LOG_NORMAL)) for v in bound.log_lik([0.0])]


def codes(table, model=GROUPS, **more):
    """The group of each row of a table, by a = 0, 1, 2, … and y = 0."""
    compiled = sgppl.Model(model)
    with compiled.bind(table, **more) as bound:
        size = bound.dim
        return [round((-2 * (v - LOG_NORMAL)) ** 0.5) for v in bound.log_lik(range(size))]


class Squares(unittest.TestCase):
    def assert_read(self, values, want):
        for got, x in zip(read_back(values), want):
            self.assertAlmostEqual(got, x * x, delta=1e-9 * (1 + x * x))


class TestLists(Squares):
    def test_lists(self):
        self.assert_read([1, 2.5, True], [1, 2.5, 1])
        self.assert_read(range(3), [0, 1, 2])
        self.assert_read((2 * x for x in (1, 2)), [2, 4])

    def test_dates(self):
        east = datetime.timezone(datetime.timedelta(hours=2))
        self.assert_read([datetime.date(1970, 1, 11), datetime.datetime(1970, 1, 2, 12),
                          datetime.datetime(1970, 1, 2, 2, tzinfo=east)], [10, 1.5, 1])

    def test_missing(self):
        with sgppl.Model(ONE).bind({"y": [1.0, None, float("nan")]}) as bound:
            self.assertEqual(bound.dim, 3)  # a and two unknown entries

    def test_words(self):
        table = {"group": ["b", "a", "b", "c"], "y": [0, 0, 0, 0]}
        self.assertEqual(codes(table), [0, 1, 0, 2])
        # Texts that look like numbers are levels as well, and no places.
        table["group"] = ["2", "1", "2", "0"]
        self.assertEqual(codes(table), [0, 1, 0, 2])
        table["group"] = ["comma, quote\"", "a", "ü", "a"]
        self.assertEqual(codes(table), [0, 1, 2, 1])

    def test_refused(self):
        for wrong in (["a", 1], ["a", ""], ["NA", "b"]):
            with self.assertRaises((TypeError, ValueError)):
                codes({"group": wrong, "y": [0, 0]})
        with self.assertRaisesRegex(TypeError, "columns"):
            codes(3.5)
        with self.assertRaises(TypeError):
            codes({"y": object(), "group": [0]})

    def test_words_that_a_file_makes_one(self):
        for words in ([" a", "a"], ["1.0", "1"], ["b", "b "], ["01", "1"]):
            with self.assertRaisesRegex(ValueError, "one level"):
                codes({"group": words, "y": [0, 0]})
        self.assertEqual(codes({"group": ["A", "a", "Ä"], "y": [0, 0, 0]}), [0, 1, 2])

    def test_values_that_are_no_data(self):
        for wrong in ([1, 1j], [{"a": 1}], [[1, {2}]]):
            with self.assertRaisesRegex(TypeError, "^y: a value of type"):
                read_back(wrong)

    def test_rows_left_out(self):
        model = sgppl.Model(GROUPS)
        table = {"group": ["a", "b", "a"], "y": [0.5, None, 1]}
        with self.assertRaises(sgppl.Error):
            model.bind(table)
        with model.bind(table, na="drop") as bound:
            self.assertEqual(len(bound.log_lik([0.0] * bound.dim)), 2)

    def test_files_stay_with_their_run(self):
        """Two runs in one directory each keep their data, which predictions read again."""
        model = sgppl.Model(GROUPS)
        with tempfile.TemporaryDirectory() as work:
            fits = [model.sample({"group": ["a", "b"], "y": y}, chains=1, draws=20, warmup=20,
                                 engine="vm", directory=os.path.join(work, name))
                    for name, y in (("first", [1, 2]), ("second", [3, 4]))]
            for fit in fits:
                self.assertIn("elpd_loo", str(fit.loo()))


@unittest.skipUnless(NUMPY, "numpy is not installed")
class TestNumpy(Squares):
    def test_kinds(self):
        import numpy as np

        for kind in ("f4", "f8", ">f8", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
            self.assert_read(np.array([1, 2, 3], dtype=kind), [1, 2, 3])
        self.assert_read(np.array([True, False]), [1, 0])
        times = np.array(["1970-01-03", "1970-01-01T12"], dtype="datetime64[ns]")
        self.assert_read(times, [2, 0.5])
        self.assert_read(np.array([1, 2.5], dtype=object), [1, 2.5])
        for wrong in (np.array([1j]), np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])):
            with self.assertRaises(TypeError):
                read_back(wrong)

    def test_masks(self):
        """What a mask covers is missing, whatever stands below it."""
        import numpy as np

        for kind in ("f8", "i4"):
            y = np.ma.array([7, 2, 3], mask=[1, 0, 0], dtype=kind)
            with sgppl.Model(ONE).bind({"y": y}) as bound:
                self.assertEqual(bound.dim, 2)
        self.assert_read(np.ma.array([7.0, 2], mask=False), [7, 2])
        with self.assertRaisesRegex(ValueError, "2\\^53"):
            _columns.column("y", np.ma.array([2**60, 1], mask=[0, 1]), False)
        words = np.ma.array(["x", "y", "z"], mask=[0, 1, 0])
        self.assertEqual(_columns.column("w", words, True).words, ["x", None, "z"])

    def test_order_of_axes(self):
        import numpy as np

        model = sgppl.Model("""dim N, P
data x[N, P] : real
data y[N] : real
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ w, 1) }
""")
        x = np.asfortranarray([[1.0, 2, 3], [4, 5, 6]])
        for given in (x, x.tolist()):
            with model.bind({"x": given, "y": np.zeros(2)}) as bound:
                got = [(-2 * (v - LOG_NORMAL)) ** 0.5 for v in bound.log_lik([1.0, 10, 100])]
            self.assertAlmostEqual(got[0], 321)
            self.assertAlmostEqual(got[1], 654)

    @unittest.skipUnless(SCIPY, "scipy is not installed")
    def test_sparse(self):
        import numpy as np
        from scipy import sparse

        model = sgppl.Model("""dim N, P
data x[N] : sparse real[P]
data y[N] : real
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ w, 1) }
""")
        x = sparse.coo_matrix(([1.5, 2.5, 1, 0.5], ([0, 2, 2, 0], [1, 0, 0, 1])), shape=(3, 4))
        with model.bind({"x": x, "y": np.zeros(3)}) as bound:
            self.assertEqual(bound.dim, 4)
            lik = bound.log_lik([1, 10, 100, 1000])
            got = [(max(0.0, -2 * (v - LOG_NORMAL))) ** 0.5 for v in lik]
        for a, b in zip(got, [20, 0, 3.5]):
            self.assertAlmostEqual(a, b, places=6)


@unittest.skipUnless(PANDAS, "pandas is not installed")
class TestPandas(Squares):
    def test_columns(self):
        import pandas as pd

        self.assert_read(pd.Series([1, 2], dtype="Int64"), [1, 2])
        self.assert_read(pd.Series([1, 0], dtype="boolean"), [1, 0])
        self.assert_read(pd.Series([0.5, 2], dtype="Float32"), [0.5, 2])
        self.assert_read(pd.to_datetime(["1970-01-02 06:00", "1970-01-05"]).to_series(), [1.25, 4])
        self.assert_read(pd.to_datetime(["1970-01-02 06:00+02:00"]).to_series(), [1 + 4 / 24])
        self.assert_read(pd.Series([5.0, 7.0], dtype="category"), [5, 7])
        self.assert_read(pd.Index([3, 4]), [3, 4])

    def test_missing(self):
        import pandas as pd

        for column in (pd.Series([1, None, 3], dtype="Int64"), pd.Series([1, float("nan"), 3]),
                       pd.Series(pd.to_datetime(["2024-01-01", None, "2024-01-03"])),
                       pd.Series([1, pd.NA, 3], dtype=object)):
            with sgppl.Model(ONE).bind(pd.DataFrame({"y": column})) as bound:
                self.assertEqual(bound.dim, 2, column)
        with self.assertRaisesRegex(ValueError, "2\\^53"):
            _columns.column("y", pd.Series([2**60, None], dtype="Int64"), False)

    def test_categories_are_levels(self):
        import pandas as pd

        kinds = ["low", "mid, or so", "high", "never"]
        frame = pd.DataFrame({"group": pd.Categorical(["high", "low", "high"], categories=kinds),
                              "y": [0.0, 0, 0], "more": [1, 2, 3]})
        self.assertEqual(codes(frame), [2, 0, 2])
        frame["group"] = pd.Categorical([30, 10, 30], categories=[10, 20, 30])
        self.assertEqual(codes(frame), [2, 0, 2])
        frame["group"] = pd.Series(["z", "y", "z"], dtype="string")
        self.assertEqual(codes(frame), [0, 1, 0])

    def test_levels_of_two_columns(self):
        import pandas as pd

        model = sgppl.Model("""dim N, T
data home[N], away[N] : index[T]
data y[N] : real
param a[T] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(a[home[n]] - a[away[n]], 1) }
""")
        kind = pd.CategoricalDtype(["x", "y", "z"])
        frame = pd.DataFrame({"home": pd.Series(["z", "y"], dtype=kind),
                              "away": pd.Series(["x", "z"], dtype=kind), "y": [0.0, 0]})
        with model.bind(frame) as bound:
            got = [(-2 * (v - LOG_NORMAL)) ** 0.5 for v in bound.log_lik([1, 10, 100])]
        self.assertAlmostEqual(got[0], 99)
        self.assertAlmostEqual(got[1], 90)
        frame["away"] = pd.Categorical(["x", "z"], categories=["x", "z"])
        with self.assertRaisesRegex(ValueError, "other levels"):
            model.bind(frame)

    def test_levels_are_kept(self):
        """Summaries, datasets and predictions have the categories."""
        import pandas as pd

        frame = pd.DataFrame({"group": pd.Categorical(["b", "c"], categories=["c", "b", "a"]),
                              "y": [5.0, -5]})
        fit = sgppl.Model(GROUPS).sample(frame, chains=1, draws=200, warmup=200, engine="vm")
        labels = [v["label"] for v in fit._summary["vars"]]
        self.assertEqual(labels, ["c", "b", "a"])
        self.assertGreater(fit.summary()["a[1]"]["mean"], 1)

    def test_vector_columns(self):
        import pandas as pd

        model = sgppl.Model("""dim N, P
data x[N, P] : real
data y[N] : real
param w[P] : real ~ normal(0, 1)
for n in N { y[n] ~ normal(x[n] @ w, 1) }
""")
        frame = pd.DataFrame({"x.1": [2, 5], "x.0": [1, 4], "y": [0, 0]})
        inner = pd.DataFrame({"age": [1, 4], "income": [2, 5]})
        for table in (frame, {"x": inner, "y": frame["y"]}):
            with model.bind(table) as bound:
                got = [(-2 * (v - LOG_NORMAL)) ** 0.5 for v in bound.log_lik([1, 10])]
            self.assertAlmostEqual(got[0], 21)
            self.assertAlmostEqual(got[1], 54)
        with self.assertRaisesRegex(ValueError, "without a gap"):
            model.bind(frame.rename(columns={"x.1": "x.2"}))

    def test_no_column_of_the_model(self):
        import pandas as pd

        with self.assertRaisesRegex(ValueError, "group, y"):
            codes(pd.DataFrame({"other": [1]}))

    def test_interchange(self):
        """The protocol gives the same columns as the frame itself. pandas implements it."""
        import pandas as pd

        class Other:
            def __init__(self, frame):
                self.__dataframe__ = frame.__dataframe__

        frame = pd.DataFrame({
            "group": pd.Categorical(["high", None, "high"], categories=["low", "high"]),
            "words": ["ä", "bc", "d"],
            "when": pd.to_datetime(["1970-01-02 06:00", "1970-01-05", None]),
            "y": [1.5, float("nan"), -2], "k": [1, 2, 3], "f": [True, False, True],
        })
        for table in (frame, frame[1:]):
            got = _columns.table(Other(table))
            self.assertEqual(list(got), list(frame.columns))
            self.assertEqual(got["group"].words, [None if w != w else w for w in table["group"]])
            self.assertEqual(got["group"].levels, ["low", "high"])
            self.assertEqual(got["words"].words, list(table["words"]))
            days = _columns.column("when", table["when"], False).array
            wants = {"when": days, "y": table["y"], "k": table["k"], "f": table["f"]}
            for name, want in wants.items():
                for a, b in zip(got[name].array.tolist(), want):
                    self.assertTrue(a == b or a != a and b != b, (name, a, b))
        frame["group"] = frame["group"].fillna("low")
        self.assertEqual(codes(Other(frame.assign(y=[0.0, 0, 0]))), [1, 0, 1])


class Enum:
    """The type of a column of words with levels, as polars 1.x has it."""

    def __init__(self, categories):
        self.categories = categories


class Named:
    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name


class Series:
    """What a column of polars 1.x offers."""

    def __init__(self, values, dtype, array=None):
        self.dtype, self._values, self._array = dtype, list(values), array

    def to_list(self):
        return self._values

    def to_numpy(self):
        assert self._array is not None, "words have no array of numbers"
        return self._array

    def __len__(self):
        return len(self._values)


class Frame:
    """What a frame of polars 1.x offers: columns, and a column by its name."""

    def __init__(self, **columns):
        self.columns, self._of = list(columns), columns

    def __getitem__(self, name):
        return self._of[name]


class TestPolars(unittest.TestCase):
    """polars is not here: its shape was recorded from the reference of polars 1."""

    def test_frame(self):
        array = None
        if NUMPY:
            import numpy as np

            array = np.zeros(3)
        y = Series([0.0, 0.0, 0.0], Named("Float64"), array)
        for kind, want in ((Enum(["c", "b", "a"]), [2, 0, 2]), (Named("String"), [0, 1, 0]),
                           (Named("Categorical"), [0, 1, 0])):
            group = Series(["a", "c", "a"], kind)
            self.assertEqual(codes(Frame(group=group, y=y, other=Series([], Named("Null")))), want)


class TestLevels(unittest.TestCase):
    def test_listed(self):
        for levels in (["a"], ["sorted"], ["a,b", 'c"d', "...", "e"]):
            text = _data.listed(levels)
            got = codes({"group": levels, "y": [0] * len(levels)})
            self.assertEqual(got, list(range(len(levels))), text)

    def test_users_order_goes_first(self):
        table = {"group": ["b", "a"], "y": [9.0, -9.0]}
        fit = sgppl.Model(GROUPS).sample(table, levels="G=sorted", chains=1, draws=100, warmup=100,
                                         engine="vm")
        self.assertLess(fit.summary()["a[0]"]["mean"], 0)


if __name__ == "__main__":
    unittest.main()
