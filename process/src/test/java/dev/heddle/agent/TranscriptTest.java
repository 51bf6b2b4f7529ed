package dev.heddle.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.conversation.Event;
import dev.heddle.conversation.Prices;
import dev.heddle.conversation.RunningTotals;
import dev.heddle.conversation.Speaker;
import dev.heddle.conversation.TextView;
import dev.heddle.conversation.Totals;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class TranscriptTest {

    @TempDir
    private Path directory;

    private Transcript transcript() {
        return new Transcript(directory.resolve("events.jsonl"));
    }

    private void append(Transcript transcript, String text) throws IOException {
        Files.writeString(transcript.file(), text, StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private static Event message(String text) {
        return new Event.Message(Speaker.AGENT, text + "\n", true, null);
    }

    @Test
    void followsAFileFromBeforeItExistsUntilItIsCompressed() throws IOException {
        Transcript transcript = transcript();
        TranscriptTail tail = new TranscriptTail(transcript, new PlainTextAdapter().parser());
        List<Event> seen = new ArrayList<>();
        assertThat(tail.poll(seen::add)).isFalse();
        append(transcript, "one\ntw");
        assertThat(tail.poll(seen::add)).isTrue();
        assertThat(seen).containsExactly(message("one"));
        assertThat(tail.poll(seen::add)).isFalse();
        append(transcript, "o\nthree");
        tail.poll(seen::add);
        assertThat(seen).containsExactly(message("one"), message("two"));
        transcript.compress();
        tail.poll(seen::add);
        assertThat(seen).containsExactly(message("one"), message("two"), message("three"));
        assertThat(tail.poll(seen::add)).isFalse();
    }

    @Test
    void readsALineOnceItIsComplete() throws IOException {
        Transcript transcript = transcript();
        TranscriptTail tail = new TranscriptTail(transcript, new ClaudeAdapter().parser());
        List<Event> seen = new ArrayList<>();
        append(transcript, "{\"type\":\"result\",\"subtype\":\"success\",\"result\":\"" + "z".repeat(3 << 20));
        assertThat(tail.poll(seen::add)).isFalse();
        append(transcript, "\"}\n");
        assertThat(tail.poll(seen::add)).isTrue();
        assertThat(seen).singleElement().isInstanceOf(Event.Result.class);
    }

    @Test
    void readsTheSameAfterCompression() throws IOException {
        Replay run = Replay.of("claude/subagents", directory);
        var before = run.conversation();
        run.transcript().compress();
        assertThat(run.transcript().file()).doesNotExist();
        assertThat(run.transcript().isCompressed()).isTrue();
        assertThat(run.conversation()).isEqualTo(before);
        run.transcript().compress();
        assertThat(run.conversation()).isEqualTo(before);
    }

    @Test
    void aCrashDuringCompressionLosesNothing() throws IOException {
        Transcript transcript = transcript();
        append(transcript, "all of it\n");
        Files.writeString(directory.resolve("events.jsonl.gz.part"), "half a file");
        transcript.compress();
        append(transcript, "left over by a crash before it was deleted\n");
        transcript.compress();
        List<Event> seen = new ArrayList<>();
        new TranscriptTail(transcript, new PlainTextAdapter().parser()).drain(seen::add);
        assertThat(seen).containsExactly(message("all of it"));
        assertThat(directory.toFile().list()).containsExactly("events.jsonl.gz");
    }

    @Test
    void aNewerAdapterUnderstandsMoreOfAnOldRun() throws IOException {
        Transcript transcript = transcript();
        append(transcript, "{\"type\":\"wholly_new_event\",\"words\":\"hello\"}\n");
        transcript.compress();
        List<Event> before = new ArrayList<>();
        new TranscriptTail(transcript, new ClaudeAdapter().parser()).drain(before::add);
        assertThat(before).singleElement().isInstanceOf(Event.Unknown.class);
        List<Event> after = new ArrayList<>();
        EventParser learned = line -> List
                .of(new Event.Message(Speaker.AGENT, LenientJson.parse(line).orElseThrow().text("words"), false, null));
        new TranscriptTail(transcript, learned).drain(after::add);
        assertThat(after).containsExactly(new Event.Message(Speaker.AGENT, "hello", false, null));
    }

    /** 30,000 events of 2 kB: their text alone is several times the allowed heap. */
    @Test
    void heapUsageDoesNotGrowWithTheLengthOfARun() throws IOException {
        Transcript transcript = transcript();
        String text = "w".repeat(2_000);
        try (var out = Files.newBufferedWriter(transcript.file())) {
            for (int i = 0; i < 30_000; i++) {
                out.write("{\"type\":\"assistant\",\"message\":{\"id\":\"m" + i
                        + "\",\"model\":\"claude-sonnet\",\"content\":" + "[{\"type\":\"text\",\"text\":\"" + text
                        + "\"}],\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}}\n");
            }
        }
        RunningTotals totals = new RunningTotals();
        long before = usedHeap();
        new TranscriptTail(transcript, new ClaudeAdapter().parser()).drain(totals::add);
        long after = usedHeap();
        Totals sum = totals.totals(Prices.NONE);
        assertThat(sum.events()).isEqualTo(60_000);
        assertThat(sum.tokens().total()).isEqualTo(90_000);
        assertThat(after - before).isLessThan(8L << 20);
    }

    /**
     * 10,000 events, polled in batches of ten. At 100 events per second that is 100 seconds, of which 5 % are 5 s of
     * CPU.
     */
    @Test
    void aHundredEventsPerSecondTakeLessThanFivePercentOfACore() throws IOException {
        Transcript transcript = transcript();
        TranscriptTail tail = new TranscriptTail(transcript, new ClaudeAdapter().parser());
        RunningTotals totals = new RunningTotals();
        Path shown = directory.resolve("stdout.log");
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try (var out = Files.newBufferedWriter(shown)) {
            TextView view = new TextView(text -> {
                try {
                    out.write(text);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            for (int batch = 0; batch < 1_000; batch++) {
                StringBuilder lines = new StringBuilder();
                for (int i = 0; i < 10; i++) {
                    lines.append("{\"type\":\"assistant\",\"message\":{\"id\":\"m").append(batch * 10 + i)
                            .append("\",\"model\":\"claude-sonnet\",\"content\":[{\"type\":\"text\",\"text\":\"")
                            .append("word ".repeat(100))
                            .append("\"}],\"usage\":{\"input_tokens\":1,\"output_tokens\":2}}}\n");
                }
                append(transcript, lines.toString());
                tail.poll(event -> {
                    totals.add(event);
                    view.add(event);
                });
                out.flush();
            }
        }
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
        System.out.println("TranscriptTest: 10,000 events took " + cpu / 1_000_000 + " ms of CPU, "
                + Math.round(cpu / 1e9 * 10) / 10.0 + " % of a core at 100 events per second");
        assertThat(totals.totals(Prices.NONE).tokens().total()).isEqualTo(30_000);
        assertThat(Duration.ofNanos(cpu)).isLessThan(Duration.ofSeconds(5));
    }

    private static long usedHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
