package dev.heddle.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.heddle.testkit.PostgresServer;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Compares the contenders, those with files first, then those on the server. Progress goes to standard error, the tables
 * to standard output.
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
            ChildTrial.runHere(options, options.trial().get());
            // A product's stray threads must not hold up the next one's turn.
            System.exit(0);
        }
        List<Contender> contenders = Contenders.matching(options.only(), options.stores(),
                options.inFlight());
        if (contenders.isEmpty()) {
            System.err.println("nobody is called " + options.only() + "; there are "
                    + Contenders.matching("", options.stores(), options.inFlight()).stream()
                            .map(contender -> contender.card().id()).toList());
            System.exit(2);
        }
        compare(options.smoke() ? Contenders.oneOfEach(contenders) : contenders, options);
    }

    private static void compare(List<Contender> contenders, Options options) throws Exception {
        Path directory = Files.createTempDirectory("heddle-benchmarks");
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            Child.killAll();
            Directories.delete(directory);
        }));
        Machine machine = Machine.here(directory);
        System.err.println(machine.line());
        if (machine.syncsForFree()) {
            System.err.println("warning: the databases lie on " + machine.fileSystem()
                    + ", where a sync costs nothing; set TMPDIR to a directory on disk");
        }
        List<Row> rows = new ArrayList<>();
        List<NodesRow> nodes = new ArrayList<>();
        Optional<Server> server = Optional.empty();
        List<Contender> onFiles = contenders.stream().filter(one -> !one.database().hasServer()).toList();
        if (!onFiles.isEmpty()) {
            rows.addAll(new Comparison(onFiles, options).run(directory));
        }
        List<Contender> onServer = contenders.stream().filter(one -> one.database().hasServer()).toList();
        if (!onServer.isEmpty()) {
            try (PostgresServer postgres = PostgresServer.start(PostgresServer.Version.V18)) {
                server = Optional.of(Server.at(postgres.url()));
                System.err.println(server.get().line());
                Options there = options.on(postgres.url());
                rows.addAll(new Comparison(onServer, there).run(directory));
                nodes.addAll(NodesComparison.run(onServer, there));
            }
        }
        if (options.json().isPresent()) {
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build().writeValue(
                    options.json().get(), Report.of(machine, server, options, rows, nodes));
        }
    }
}
