package dev.heddle.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MigrationScriptsTest {

    /** {@code sha256sum -c} understands the list too. */
    @ParameterizedTest
    @ValueSource(classes = {SqliteStore.class, PostgresStore.class})
    void neverChange(Class<?> store) throws Exception {
        MigrationScripts scripts = new MigrationScripts(store);
        String directory = "src/main/resources/" + store.getPackageName().replace('.', '/') + "/";
        List<String> actual = IntStream.rangeClosed(1, MigrationScripts.latest())
                .mapToObj(step -> scripts.fingerprint(step) + "  " + directory + MigrationScripts.name(step)).toList();

        assertThat(listed().stream().filter(line -> line.contains(directory)).toList()).as("""
                A script that has run somewhere is never edited, because stores exist that it has made. \
                Undo the edit and add a script with the next number. \
                A new script needs a line in migrations.sha256: store-sql$ sha256sum %s""", directory + "*.sql")
                .isEqualTo(actual);
    }

    private static List<String> listed() throws IOException {
        try (InputStream in = Objects
                .requireNonNull(MigrationScriptsTest.class.getResourceAsStream("/migrations.sha256"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
    }
}
