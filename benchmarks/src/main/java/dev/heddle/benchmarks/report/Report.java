package dev.heddle.benchmarks.report;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.heddle.benchmarks.contender.Resources;

/** The report that is written as JSON; the server is empty if none took part. */
public record Report(MachineInfo machine, Optional<ServerInfo> server, Map<String, String> versions, int rounds,
        List<Row> rows, List<MultiNodeRow> nodes) {

    public static Report of(MachineInfo machine, Optional<ServerInfo> server, int rounds, List<Row> rows,
            List<MultiNodeRow> nodes) {
        Map<String, String> versions = new TreeMap<>();
        Resources.versions().forEach((artifact, version) -> versions.put((String) artifact, (String) version));
        return new Report(machine, server, versions, rounds, rows, nodes);
    }
}
