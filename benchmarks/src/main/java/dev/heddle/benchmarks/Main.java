package dev.heddle.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the contenders in turns, A B C A B C: what disturbs the machine for a while disturbs them all. Progress
 * goes to standard error, the table to standard output.
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
        List<Contender> contenders = Contenders.matching(options.only(), options.inFlight());
        if (contenders.isEmpty()) {
            System.err.println("nobody is called " + options.only() + "; there are "
                    + Contenders.all(options.inFlight()).stream().map(contender -> contender.card().id())
                            .toList());
            System.exit(2);
        }
        if (options.trial().isPresent()) {
            Contender itself = contenders.stream().filter(one -> one.card().id().equals(options.only()))
                    .findFirst()
                    .orElseThrow();
            ChildTrial.runHere(itself, options, options.trial().get());
            // A product's stray threads must not hold up the next one's turn.
            System.exit(0);
        }
        compare(contenders.stream().map(Contender::card).toList(), options);
    }

    private static void compare(List<Card> cards, Options options) throws IOException, InterruptedException {
        Path directory = Files.createTempDirectory("heddle-benchmarks");
        Thread cleaning = new Thread(() -> delete(directory));
        Runtime.getRuntime().addShutdownHook(cleaning);
        Machine machine = Machine.here(directory);
        System.err.println(machine.line());
        if (machine.syncsForFree()) {
            System.err.println("warning: the databases lie on " + machine.fileSystem()
                    + ", where a sync costs nothing; set TMPDIR to a directory on disk");
        }
        Map<Card, List<Figures>> figures = new LinkedHashMap<>();
        for (int round = 1; round <= options.rounds(); round++) {
            for (Card card : cards) {
                Path own = Files.createDirectory(directory.resolve("trial"));
                Figures trial = new ChildTrial(card, options).run(own);
                delete(own);
                figures.computeIfAbsent(card, key -> new ArrayList<>()).add(trial);
                System.err.println(
                        "round " + round + "  " + card.id() + "  " + Column.DRAIN.text(trial) + " drained/s");
            }
        }
        List<Row> rows = figures.entrySet().stream().map(entry -> Row.of(entry.getKey(), entry.getValue()))
                .toList();
        System.out.println();
        System.out.print(new Table(rows).text());
        if (options.json().isPresent()) {
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build()
                    .writeValue(options.json().get(), Report.of(machine, options, rows));
        }
    }

    private static void delete(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            System.err.println("left behind: " + directory + " (" + e + ")");
        }
    }
}
