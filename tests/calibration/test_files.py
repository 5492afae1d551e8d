import json

import pytest

from laya.calibration import BinningMap, Temperatures, read_calibration, write_calibration
from laya.calibration.files import Identity
from laya.errors import CalibrationError

HERE = Identity("model", None, {"encoder": "x", "temperature": [1, 1, 1]})
GOOD = {"version": 2, "temperature": [1.5, 1.0, 0.8], "temperature_by_options": {}, **HERE.to_json()}


def write(tmp_path, data):
    path = tmp_path / "calibration.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "c.json"
    temperatures = Temperatures((1.5, 1.0, 0.8), {"choice:2": 2.0})
    binning = BinningMap({"noul:2": (0.1, 0.9)})
    write_calibration(path, temperatures, binning, HERE)
    assert read_calibration(path, HERE) == (temperatures, binning)
    stored = json.loads(path.read_text(encoding="utf-8"))
    assert stored["version"] == 2
    assert "temperature" not in stored["config"]
    assert path.read_text(encoding="utf-8").endswith("}\n")
    assert [p.name for p in tmp_path.iterdir()] == ["c.json"]


def test_saving_keeps_the_mode_of_the_file(tmp_path):
    path = write(tmp_path, "{}")
    path.chmod(0o600)
    write_calibration(path, Temperatures(), None, HERE)
    assert path.stat().st_mode & 0o777 == 0o600


def test_saving_into_a_missing_folder_says_so(tmp_path):
    with pytest.raises(CalibrationError, match="does not exist"):
        write_calibration(tmp_path / "no" / "c.json", Temperatures(), None, HERE)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"temperature": [float("nan"), 1, 1]}, "temperature[0] must be a positive finite number, got nan"),
        ({"temperature": [1, 0, 1]}, "temperature[1] must be a positive finite number, got 0"),
        ({"temperature": [1, 1, -1]}, "temperature[2] must be a positive finite number, got -1"),
        ({"temperature": [1, 1, "1"]}, "must be a positive finite number, got '1'"),
        ({"temperature": [1, 1, True]}, "must be a positive finite number, got True"),
        ({"temperature": [1, 1]}, "must contain temperature: [3 floats], got [1, 1]"),
        ({"temperature": None}, "must contain temperature: [3 floats], got None"),
        ({"temperature_by_options": [1]}, "temperature_by_options must be an object of bucket -> float, got list"),
        ({"version": True}, "version must be an integer, got True"),
        ({"version": 1.9}, "version must be an integer, got 1.9"),
        ({"version": "x"}, "version must be an integer, got 'x'"),
        ({"binning_map": 3}, "binning_map must be an object, got int"),
        ({"binning_map": {"noul:2": 3}}, "binning_map['noul:2'] must be an object, got int"),
        ({"binning_map": {"noul:2": {"bins": 0, "values": []}}}, "bins must be an integer of at least 1, got 0"),
        ({"binning_map": {"noul:2": {"bins": True, "values": [1]}}}, "bins must be an integer of at least 1, got True"),
        ({"binning_map": {"noul:2": {"bins": 2, "values": [1]}}}, "values must be a list of 2 numbers"),
        ({"binning_map": {"noul:2": {"bins": 1, "values": [1.2]}}}, "values must lie in [0, 1], got 1.2"),
        ({"binning_map": {"noul:2": {"bins": 1, "values": ["a"]}}}, "values must be finite numbers, got 'a'"),
    ],
)
def test_a_corrupt_file_is_refused(tmp_path, change, text):
    path = write(tmp_path, {**GOOD, **change})
    with pytest.raises(CalibrationError) as caught:
        read_calibration(path, HERE)
    assert text in str(caught.value)
    assert caught.value.path == str(path)


@pytest.mark.parametrize("text", ["[]", "{", "3"])
def test_a_file_that_is_not_an_object_is_refused(tmp_path, text):
    with pytest.raises(CalibrationError):
        read_calibration(write(tmp_path, text), HERE)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(CalibrationError, match=r"nothing\.json"):
        read_calibration(tmp_path / "nothing.json", HERE)


def test_a_file_for_another_checkpoint_warns_but_loads(tmp_path):
    other = Identity("other", None, HERE.config)
    with pytest.warns(UserWarning, match="calibration was fitted for model_id_or_path='model'"):
        temperatures, _ = read_calibration(write(tmp_path, GOOD), other)
    assert temperatures.by_type == [1.5, 1.0, 0.8]


def test_version_one_files_have_no_identity_to_compare(tmp_path):
    old = {"temperature": [1.0, 1.0, 1.0]}
    assert read_calibration(write(tmp_path, old), HERE)[0] == Temperatures((1.0, 1.0, 1.0), {})


def test_values_outside_the_limits_warn(tmp_path):
    with pytest.warns(RuntimeWarning, match=r"calibration temperatures are .*temperature\[0\]=7.0 -> 5.0"):
        temperatures, _ = read_calibration(write(tmp_path, {**GOOD, "temperature": [7, 1, 1]}), HERE)
    assert temperatures.by_type == [5.0, 1.0, 1.0]


@pytest.mark.parametrize(
    ("confidence", "value"), [(0.0, 0.1), (0.49, 0.1), (0.5, 0.9), (1.0, 0.9), (-1.0, 0.1), (2.0, 0.9)]
)
def test_binning_looks_up_equal_width_bins(confidence, value):
    assert BinningMap({"noul:2": (0.1, 0.9)}).apply("noul:2", confidence) == value
    assert BinningMap({"noul:2": (0.1, 0.9)}).apply("score:2", confidence) == confidence
