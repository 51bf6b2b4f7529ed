package dev.heddle.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What is written as JSON. */
record Report(Machine machine, Map<String, String> versions, Plan plan, int rounds, List<Row> rows) {

    static Report of(Machine machine, Options options, List<Row> rows) {
        Map<String, String> versions = new TreeMap<>();
        Resources.versions()
                .forEach((artifact, version) -> versions.put((String) artifact, (String) version));
        return new Report(machine, versions, options.plan(), options.rounds(), rows);
    }
}
