package dev.heddle.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is written as JSON; the server only where one took part. */
record Report(Machine machine, Optional<Server> server, Map<String, String> versions, int rounds,
        List<Row> rows, List<NodesRow> nodes) {

    static Report of(Machine machine, Optional<Server> server, Options options, List<Row> rows,
            List<NodesRow> nodes) {
        Map<String, String> versions = new TreeMap<>();
        Resources.versions()
                .forEach((artifact, version) -> versions.put((String) artifact, (String) version));
        return new Report(machine, server, versions, options.rounds(), rows, nodes);
    }
}
