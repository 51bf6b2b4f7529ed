package dev.heddle.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Entries that killed nodes leave in the registry are deleted, and no others. */
@Tag("portable")
class LeftoversTest extends ProcessFixture {

    @Test
    void removesTheEntriesOfNodesThatWereKilledWhileTheyOpened() throws Exception {
        long self = ProcessHandle.current().pid();
        Path killed = Files.createDirectories(registry().resolve("999999999-77-1"));
        Files.writeString(killed.resolve("node.json.new"), "{");
        Path broken = Files.createDirectories(registry().resolve("999999999-78-1"));
        Files.createFile(broken.resolve("node.json"));
        Path opening = Files.createDirectories(
                registry().resolve(self + "-" + Platform.here().startTicks(self) + "-1000"));
        Path other = Files.createDirectories(registry().resolve("notes"));
        open(Isolation.SESSION);

        assertThat(killed).doesNotExist();
        assertThat(broken).doesNotExist();
        assertThat(List.of(opening, other)).allMatch(Files::exists);
        Files.delete(opening);
    }
}
