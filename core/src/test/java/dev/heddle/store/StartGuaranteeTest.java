package dev.heddle.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class StartGuaranteeTest {

    /** These texts are in the databases of users. */
    @ParameterizedTest
    @CsvSource({"NONE,NONE", "COMMITTED_FIRST,BLAMED", "AT_MOST_ONCE,ONCE"})
    void isStoredByATextThatNeverChanges(StartGuarantee guarantee, String text) {
        assertThat(guarantee.storedAs()).isEqualTo(text);
        assertThat(StartGuarantee.ofStored(text)).isEqualTo(guarantee);
    }

    @Test
    void refusesAnUnknownText() {
        assertThatIllegalArgumentException().isThrownBy(() -> StartGuarantee.ofStored("TWICE"))
                .withMessage("unknown start guarantee: 'TWICE'");
    }
}
