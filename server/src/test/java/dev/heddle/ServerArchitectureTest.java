package dev.heddle;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

/** Keeps the server on top of control: server → control → core. Each rule was seen to fail on a class that broke it. */
class ServerArchitectureTest {

    private static final JavaClasses SERVER = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages("dev.heddle.server");

    @Test
    void dependsOnNoDatabaseAndNoLoggingBackEnd() {
        assertThat(SERVER.size()).isGreaterThan(20);
        noClasses().should().dependOnClassesThat().resideInAnyPackage("dev.heddle.sql..", "dev.heddle.sqlite..",
                "dev.heddle.postgres..", "java.sql..", "ch.qos.logback..").check(SERVER);
    }

    @Test
    void reachesTheStoreThroughControlOnly() {
        noClasses().should().dependOnClassesThat().haveFullyQualifiedName("dev.heddle.store.Store").check(SERVER);
    }

    @Test
    void readsTheTimeFromAClockThatIsPassedIn() {
        noClasses().should().callMethod("java.time.Instant", "now").orShould()
                .callMethod("java.time.Clock", "systemUTC").check(SERVER);
    }
}
