package dev.heddle.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contenders;
import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.MultiNodeRow;
import dev.heddle.benchmarks.report.Report;
import dev.heddle.benchmarks.report.Row;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.ChildProcess;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.testkit.PostgresServer;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the contenders: first those with database files, then those on the server. Prints progress to standard error
 * and the tables to standard output.
 */
final class Main {

    private Main() {}

    public static void main(String[] arguments) throws Exception {
        Options options;
        try {
            options = Options.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        if (options.trial().isPresent()) {
            IsolatedTrial.runHere(options, options.trial().get());
            // Exits here because threads that a product left behind would keep this JVM alive.
            System.exit(0);
        }
        List<Contender> contenders = Contenders.matching(options.only(), options.stores(), options.inFlight());
        if (contenders.isEmpty()) {
            System.err.println("no contender matches '" + options.only() + "'; there are "
                    + Contenders.matching("", options.stores(), options.inFlight()).stream()
                            .map(contender -> contender.card().id()).toList());
            System.exit(2);
        }
        compare(options.smoke() ? Contenders.oneOfEach(contenders) : contenders, options);
    }

    private static void compare(List<Contender> contenders, Options options) throws Exception {
        Path directory = Files.createTempDirectory("heddle-benchmarks");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            ChildProcess.killAll();
            Directories.delete(directory);
        }));
        MachineInfo machine = MachineInfo.here(directory);
        System.err.println(machine.line());
        if (machine.syncsForFree()) {
            System.err.println("warning: the databases are on " + machine.fileSystem()
                    + ", where a sync costs nothing; set TMPDIR to a directory on disk");
        }
        List<Row> rows = new ArrayList<>();
        List<MultiNodeRow> nodes = new ArrayList<>();
        Optional<ServerInfo> server = Optional.empty();
        List<Contender> onFiles = contenders.stream().filter(one -> !one.database().hasServer()).toList();
        if (!onFiles.isEmpty()) {
            rows.addAll(new Comparison(onFiles, options).run(directory));
        }
        List<Contender> onServer = contenders.stream().filter(one -> one.database().hasServer()).toList();
        if (!onServer.isEmpty()) {
            try (PostgresServer postgres = PostgresServer.start(PostgresServer.Version.V18)) {
                server = Optional.of(ServerInfo.at(postgres.url()));
                System.err.println(server.get().line());
                Options there = options.on(postgres.url());
                rows.addAll(new Comparison(onServer, there).run(directory));
                nodes.addAll(MultiNodeComparison.run(onServer, there));
            }
        }
        if (options.json().isPresent()) {
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(options.json().get(),
                    Report.of(machine, server, options.rounds(), rows, nodes));
        }
    }
}
