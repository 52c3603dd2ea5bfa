"""Modules that privacy rests on, and the tests that should notice a change, quick ones first."""

UNIT, RELEASE = "tests/unit/", "tests/release/"
SCALES = f"{RELEASE}test_measured_scales.py"
FORECAST = "tests/statistical/test_forecast.py"
PRIVBAYES = "tests/properties/test_privbayes.py"
KEPT = "ledger", "entries", "store", "liveness", "amounts", "people", "folders", "old_ledger"
LEDGER = [f"{RELEASE}test_{name}.py" for name in (*KEPT, "faults")]
MADE = "orders", "publish", "steps", "acceptance", "released_files", "trial", "faults"
PUBLISH = [f"{RELEASE}test_{name}.py" for name in MADE]
METERED = "rationals", "margins", "charges", "measured_scales", "grown_meter", "choice"
METER = [f"{RELEASE}test_{name}.py" for name in METERED]
EXACT = [f"{RELEASE}test_{name}.py" for name in ("rationals", "margins", "charges")]
PLANS = [f"{UNIT}test_privacy.py", f"{UNIT}test_sensitivity.py", f"{UNIT}test_methods.py"]
SEARCHED = "scores", "candidates", "selection", "structure"
LEARNED = [f"{UNIT}privbayes/test_{name}.py" for name in SEARCHED]
DESIGNED = [
    f"{UNIT}test_dividing.py",
    f"{UNIT}test_expectation.py",
    f"{UNIT}test_methods.py",
    "tests/golden/test_numbers.py",
]

WATCHED = {
    "core.privacy": [*PLANS, f"{UNIT}test_tradeoff.py", f"{UNIT}test_criteria.py"],
    "core.methods.noise": [
        f"{UNIT}test_noise.py",
        f"{UNIT}test_drawing.py",
        "tests/statistical/test_noise.py",
    ],
    "core.methods.plans": [*PLANS, f"{UNIT}test_trace.py"],
    "core.methods.randomness": [f"{UNIT}test_drawing.py", *METER],
    "core.methods.selection": [*LEARNED, "tests/statistical/test_transcripts.py"],
    "core.methods.threshold": ["tests/properties/test_threshold.py", f"{RELEASE}test_domain.py"],
    "core.methods.one_table": [
        f"{UNIT}test_one_table.py",
        *PLANS,
        f"{UNIT}test_drawing.py",
        SCALES,
    ],
    "core.methods.uniform": [*PLANS, SCALES, FORECAST],
    "core.methods.data_dependent": [
        f"{UNIT}test_data_dependent.py",
        *PLANS,
        f"{UNIT}test_trace.py",
        f"{UNIT}test_drawing.py",
        SCALES,
    ],
    "core.methods.equipoise": [
        f"{UNIT}test_filtering.py",
        *PLANS,
        f"{UNIT}test_drawing.py",
        SCALES,
        FORECAST,
        "tests/properties/test_options.py",
    ],
    "core.methods.design": [f"{UNIT}test_filtering.py", *DESIGNED],
    "core.methods.dividing": [*DESIGNED, *PLANS, SCALES],
    "core.methods.expectation": [f"{UNIT}test_expectation.py", FORECAST],
    "core.methods.factors": ["tests/properties/test_factors.py", *PLANS, SCALES],
    "core.methods.filtering": [f"{UNIT}test_filtering.py", *DESIGNED],
    "core.methods.informed": ["tests/properties/test_known.py", f"{RELEASE}test_known_tables.py"],
    "core.methods.merging": ["tests/properties/test_merging.py", *DESIGNED, SCALES],
    "core.methods.procedure": [
        f"{UNIT}test_data_dependent.py",
        f"{RELEASE}test_measurements.py",
        f"{UNIT}test_literal.py",
        FORECAST,
        *PLANS,
        f"{UNIT}test_drawing.py",
    ],
    "core.gaussian_noise": [f"{UNIT}test_gaussian_noise.py", f"{UNIT}test_privacy.py"],
    "core.counts": [f"{UNIT}test_counts.py", "tests/properties/test_counts.py"],
    "core.packing": [f"{UNIT}test_counts.py", "tests/properties/test_counts.py"],
    "release.acceptance": [f"{RELEASE}test_criterion.py", f"{RELEASE}test_acceptance.py"],
    "core.privbayes.scores": [*LEARNED, PRIVBAYES],
    "core.privbayes.sensitivity": [*LEARNED, PRIVBAYES],
    "core.privbayes.structure": [f"{UNIT}privbayes/test_structure.py", f"{RELEASE}test_choice.py"],
    "core.privbayes.candidates": [*LEARNED, PRIVBAYES],
    "core.privbayes.distances": [f"{UNIT}privbayes/test_distances.py"],
    "core.privbayes.peak_distance": [f"{UNIT}privbayes/test_peak_distance.py"],
    "release.rationals": [*EXACT, f"{RELEASE}test_amounts.py"],
    "release.meter": [*EXACT, SCALES, f"{RELEASE}test_grown_meter.py", f"{RELEASE}test_choice.py"],
    "release.worker": [f"{RELEASE}test_{name}.py" for name in ("sampler", "choice")],
    "release.process": [f"{RELEASE}test_process.py"],
    "release.publish": [*PUBLISH, f"{RELEASE}test_folders.py", f"{RELEASE}test_kills.py"],
    "release.files": [*PUBLISH, f"{RELEASE}test_folders.py", f"{RELEASE}test_measurements.py"],
    "release.making": [*PUBLISH, f"{RELEASE}test_measurements.py"],
    "release.order": [f"{RELEASE}test_fingerprint.py", *PUBLISH, f"{RELEASE}test_reading.py"],
    "release.preview": [f"{RELEASE}test_preview.py", SCALES],
    "release.measurements": [f"{RELEASE}test_replayed.py"],
    "release.domain": [
        f"{RELEASE}test_domain.py",
        f"{RELEASE}test_domain_steps.py",
        f"{RELEASE}test_reading.py",
    ],
    "release.ledger.account": LEDGER,
    "release.ledger.book": LEDGER,
    "release.ledger.chain": [f"{RELEASE}test_chain.py", *LEDGER],
    "release.ledger.fingerprint": [f"{RELEASE}test_fingerprint.py", *LEDGER],
    "release.ledger.folders": [f"{RELEASE}test_folders.py", f"{RELEASE}test_publish.py"],
    "release.ledger.liveness": [*LEDGER, f"{RELEASE}test_worker.py"],
    "release.ledger.people": [f"{RELEASE}test_people.py", *LEDGER],
    "release.ledger.spending": LEDGER,
    "release.ledger.store": LEDGER,
}
