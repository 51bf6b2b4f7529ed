package dev.heddle.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Compares what simulated clusters commit with the model: every run must be one of the model's. */
class TraceTest {

    private static final int BATCH = 20;
    /** Sessions and work that outlives its node are not in these traces. */
    private static final Set<Work> MODELED = EnumSet.of(Work.ECHO, Work.FLAKY, Work.DELAYED, Work.STEPS,
            Work.CHECKPOINTS, Work.ONCE, Work.TIMEOUT, Work.FAMILY, Work.KILLER, Work.DEDUPE, Work.SEQUEL);
    private static final Pattern REACHED = Pattern.compile("<<\"reached\", (\\d+), (\\d+)>>");

    @TempDir
    Path directory;

    /** Returns the plan of a short run. */
    private static Plan plan(long seed) {
        Plan any = Plan.of(seed);
        Set<Work> work = EnumSet.of(Work.ECHO);
        any.work().stream().filter(MODELED::contains).forEach(work::add);
        return new Plan(seed, any.nodes(), 4 + (int) (seed % 8), Plan.Sharing.SHARED, work, Set.of(Order.CANCEL),
                any.faults());
    }

    private static Commits.Trace play(Plan plan) {
        World world = new World(plan);
        assertThat(Simulation.play(world).violations()).isEmpty();
        return Commits.of(world);
    }

    /** Returns how many commits of each trace the model could follow. */
    private Map<Integer, Integer> follow(List<Commits.Trace> traces) throws IOException {
        for (Path file : Tlc.configurations("")) {
            if (file.toString().endsWith(".tla") || file.toString().endsWith(".cfg")) {
                Files.copy(file, directory.resolve(file.getFileName()));
            }
        }
        Files.writeString(directory.resolve("TraceData.tla"), module(traces));
        Tlc.Report report = Tlc.check(directory.resolve("HeddleTrace.tla"), directory.resolve("HeddleTrace.cfg"),
                Files.createDirectory(directory.resolve("tlc")));
        assertThat(report.isClean()).as(report.output()).isTrue();
        Map<Integer, Integer> reached = new TreeMap<>();
        for (int trace = 1; trace <= traces.size(); trace++) {
            reached.put(trace, 0);
        }
        Matcher found = REACHED.matcher(report.output());
        while (found.find()) {
            reached.merge(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)), Math::max);
        }
        return reached;
    }

    private static String module(List<Commits.Trace> traces) {
        Set<String> jobs = new TreeSet<>();
        Set<String> nodes = new TreeSet<>();
        Map<String, List<String>> kids = new TreeMap<>();
        traces.forEach(trace -> {
            jobs.addAll(trace.jobs());
            nodes.addAll(trace.nodes());
            kids.putAll(trace.kids());
        });
        return "---- MODULE TraceData ----\nEXTENDS Naturals, Sequences\nTraceJobs == " + set(jobs) + "\nTraceNodes == "
                + set(nodes) + "\nTraceOnce == " + set(jobs.stream().filter(job -> job.startsWith("once")).toList())
                + "\nTraceTwoPhase == " + set(kids.keySet()) + "\nTraceKids == [j \\in TraceJobs |-> "
                + kids.entrySet().stream().map(
                        family -> "IF j = \"" + family.getKey() + "\" THEN " + set(family.getValue()) + " ELSE ")
                        .collect(Collectors.joining())
                + "{}]\nTraces == <<\n"
                + traces.stream().map(trace -> "<<\n" + String.join(",\n", trace.records()) + "\n>>")
                        .collect(Collectors.joining(",\n"))
                + "\n>>\n====\n";
    }

    private static String set(Iterable<String> elements) {
        List<String> quoted = new ArrayList<>();
        elements.forEach(element -> quoted.add('"' + element + '"'));
        return "{" + String.join(", ", quoted) + "}";
    }

    @Test
    void acceptsWhatSimulationsCommit() throws IOException {
        int seeds = Torture.rounds(20, 500);
        for (long first = 1; first <= seeds; first += BATCH) {
            List<Plan> plans = new ArrayList<>();
            for (long seed = first; seed < first + BATCH; seed++) {
                plans.add(plan(seed));
            }
            List<Commits.Trace> traces = plans.stream().map(TraceTest::play).toList();

            follow(traces).forEach((trace, reached) -> {
                List<String> records = traces.get(trace - 1).records();
                assertThat(reached).as("%s%nis not a behavior of the model: it cannot follow%n%s%nafter%n%s",
                        plans.get(trace - 1), records.get(Math.min(reached, records.size() - 1)),
                        String.join("\n", records.subList(0, Math.min(reached, records.size()))))
                        .isEqualTo(records.size());
            });
            clear();
        }
    }

    /** Returns the first record of a trace that matches. */
    private static int find(Commits.Trace trace, String pattern) {
        for (int i = 0; i < trace.records().size(); i++) {
            if (Pattern.compile(pattern).matcher(trace.records().get(i)).find()) {
                return i;
            }
        }
        return -1;
    }

    /** Asserts that the model follows a trace up to a record that was added, and no further. */
    private void assertRefused(Commits.Trace trace, int at, String added) throws IOException {
        List<String> records = new ArrayList<>(trace.records());
        records.add(at, added);

        assertThat(follow(List.of(trace.with(records)))).containsExactlyEntriesOf(Map.of(1, at));
    }

    @Test
    void refusesTheClaimOfAHeldJob() throws IOException {
        Commits.Trace trace = play(plan(1));
        int claim = find(trace, "op \\|-> \"claim\".* a \\|-> 1,");

        assertRefused(trace, claim + 1, trace.records().get(claim).replace(" a |-> 1,", " a |-> 2,"));
    }

    @Test
    void refusesTheEndOfAnAttemptThatLostItsJob() throws IOException {
        Commits.Trace trace = play(plan(1));
        int again = -1;
        for (long seed = 2; again < 0; seed++) {
            trace = play(plan(seed));
            again = find(trace, "op \\|-> \"claim\".* j \\|-> \"job1\", a \\|-> 2,");
        }
        int first = find(trace, "op \\|-> \"claim\".* j \\|-> \"job1\", a \\|-> 1,");
        String end = trace.records().get(first).replace("\"claim\"", "\"end\"").replaceAll("susp.*",
                "verdict |-> \"APPLIED\", lost |-> FALSE, out |-> \"done\"]");

        assertRefused(trace, again + 1, end);
    }

    @Test
    void refusesAResultThatIsAcceptedTwice() throws IOException {
        Commits.Trace trace = play(plan(1));
        int end = find(trace, "op \\|-> \"end\".*APPLIED.*\"done\"");

        assertRefused(trace, end + 1, trace.records().get(end));
    }

    private void clear() throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                if (!file.equals(directory)) {
                    Files.delete(file);
                }
            }
        }
    }
}
